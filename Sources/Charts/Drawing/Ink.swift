/// The semantic colour of an element, which the theme maps to an actual colour.
enum Ink: Hashable, Sendable {
  case ground
  case text
  case faintText
  case grid
  case axis
  case span
  case instant
  case reference
  case series(Int)
  /// A translucent area of a series.
  case surface(Int)
  /// A series whose marks overlap.
  case translucent(Int)

  /// The class name in a style sheet.
  var name: String {
    switch self {
    case .ground: "ground"
    case .text: "text"
    case .faintText: "faint"
    case .grid: "grid"
    case .axis: "axis"
    case .span: "span"
    case .instant: "instant"
    case .reference: "reference"
    case .series(let index): "series\(index % Theme.seriesCount)"
    case .surface(let index): "surface\(index % Theme.seriesCount)"
    case .translucent(let index): "translucent\(index % Theme.seriesCount)"
    }
  }
}

/// A colour in the sRGB colour space.
struct Colour: Hashable, Sendable {
  let red: UInt8
  let green: UInt8
  let blue: UInt8
  /// The opacity from 0 (transparent) to 1 (opaque).
  let opacity: Double

  init(_ hex: UInt32, opacity: Double = 1) {
    red = UInt8(hex >> 16 & 255)
    green = UInt8(hex >> 8 & 255)
    blue = UInt8(hex & 255)
    self.opacity = opacity
  }

  func withOpacity(_ opacity: Double) -> Colour {
    Colour(number, opacity: opacity)
  }

  /// The colour as a number: `0x0072b2`.
  var number: UInt32 { UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }

  /// The colour as text: `#0072b2`.
  var hex: String {
    "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

/// The colours of a chart on a light or a dark background.
///
/// The series colours have the hues of Okabe and Ito (2008), with brightness adjusted for a contrast of 3 : 1 with the
/// background (WCAG 2.2, 1.4.11), also over stimulus shading and over their own bands. They are distinguishable with
/// any kind of colour vision. Text has a contrast of 4.5 : 1 everywhere.
package struct Theme: Hashable, Sendable {
  let isDark: Bool

  /// A white background, for print and light pages.
  package static let light = Theme(isDark: false)
  /// A nearly black background.
  package static let dark = Theme(isDark: true)

  static let seriesCount = 7

  func colour(of ink: Ink) -> Colour {
    switch ink {
    case .ground: Colour(isDark ? 0x15181c : 0xffffff)
    case .text: Colour(isDark ? 0xeceff1 : 0x1c2126)
    case .faintText: Colour(isDark ? 0xb6bec6 : 0x4d5760)
    case .grid: Colour(isDark ? 0x2c3238 : 0xe4e8ec)
    case .axis: Colour(isDark ? 0x76808a : 0x7d8791)
    case .span: Colour(isDark ? 0x22253a : 0xfff7e8)
    case .instant: Colour(isDark ? 0xd5dae0 : 0x3a424a)
    case .reference: Colour(isDark ? 0xb6bec6 : 0x4d5760)
    case .series(let index): Colour((isDark ? Self.onDark : Self.onLight)[index % Self.seriesCount])
    case .surface(let index): colour(of: .series(index)).withOpacity(isDark ? 0.2 : 0.13)
    case .translucent(let index): colour(of: .series(index)).withOpacity(isDark ? 0.75 : 0.85)
    }
  }

  /// The colours of the background, of text and of secondary text, for use around charts: `0x1c2126`.
  package var surroundings: (ground: UInt32, text: UInt32, faint: UInt32) {
    (colour(of: .ground).number, colour(of: .text).number, colour(of: .faintText).number)
  }

  private static let onLight: [UInt32] = [0x0060a8, 0xba4100, 0x009669, 0x7d2a5e, 0xc76d00, 0x3188ce, 0x6a6f76]
  private static let onDark: [UInt32] = [0x56b4e9, 0xf5822a, 0x2fd8a6, 0xf2c4e0, 0xffe94e, 0x547af6, 0x80868e]
}
