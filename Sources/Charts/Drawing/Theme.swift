/// Whether a chart is drawn on a bright or a dark ground.
///
/// The colours of the series are those of Okabe and Ito (2008), which people with any kind of colour vision tell apart,
/// moved in brightness where they would not stand out from the ground by 3 : 1 (WCAG 2.2, 1.4.11); words stand out by
/// 4.5 : 1. Series also differ in marks and dashes.
public struct Theme: Hashable, Sendable {
  let isDark: Bool

  /// On white: for print and for bright pages.
  public static let light = Theme(isDark: false)
  /// On nearly black.
  public static let dark = Theme(isDark: true)

  static let seriesCount = 7

  func colour(of ink: Ink) -> Colour {
    switch ink {
    case .ground: Colour(isDark ? 0x15181c : 0xffffff)
    case .text: Colour(isDark ? 0xeceff1 : 0x1c2126)
    case .faintText: Colour(isDark ? 0xaab2ba : 0x55606a)
    case .grid: Colour(isDark ? 0x2c3238 : 0xe4e8ec)
    case .axis: Colour(isDark ? 0x76808a : 0x7d8791)
    case .span: Colour(isDark ? 0x2b2f4a : 0xfff1d6)
    case .instant: Colour(isDark ? 0xd5dae0 : 0x3a424a)
    case .reference: Colour(isDark ? 0xaab2ba : 0x55606a)
    case .series(let index): Colour((isDark ? Self.onDark : Self.onLight)[index % Self.seriesCount])
    case .surface(let index): colour(of: .series(index)).withOpacity(isDark ? 0.32 : 0.22)
    case .translucent(let index): colour(of: .series(index)).withOpacity(0.55)
    }
  }

  private static let onLight: [UInt32] = [0x0072b2, 0xd55e00, 0x00896b, 0xb0508a, 0x8a6a00, 0x2a8fc7, 0x4a4f57]
  private static let onDark: [UInt32] = [0x56b4e9, 0xff8a33, 0x1fc79a, 0xe29ac4, 0xf0e442, 0x5f8fff, 0xc3c9d1]
}
