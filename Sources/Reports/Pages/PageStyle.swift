internal import Charts

/// The measures and colours of a printed page, in points of 1/96 inch.
enum PageStyle {
  static let size = CanvasSize.a4
  static let margin = 62.0
  static let width = size.width - 2 * margin
  static let top = margin
  /// Where the last line above the footer may end.
  static let bottom = size.height - 76
  static let footer = size.height - 52

  static let body = 12.5
  static let small = 11.0
  static let table = 10.5
  static let lineHeight = 1.18

  /// The letters' size of a heading by its level.
  static func heading(_ level: Int) -> Double { [25, 17, 14, 12.5][max(1, min(level, 4)) - 1] }

  static func colour(_ name: String) -> PageColour { PageColour(Palette.light[name]) }
}

extension Words {
  /// The words as they are printed; references to notes become raised digits.
  func printed(
    size: Double, width: Double? = nil, colour: PageColour = .text, isBold: Bool = false, isRightAligned: Bool = false,
    mostHeight: Double? = nil
  ) -> PageText {
    let faint = PageStyle.colour("faint")
    let runs = runs.map { run -> PageText.Run in
      let text = run.text.printable
      return switch run.style {
      case .plain, .given: .init(text, isBold: isBold, colour: colour)
      case .code: .init(text, isBold: isBold, isMonospaced: true, colour: colour)
      case .strong: .init(text, isBold: true, colour: colour)
      case .faint: .init(text, isBold: isBold, colour: faint)
      case .unbroken: .init(text.replacing(" ", with: "\u{a0}"), isBold: isBold, colour: colour)
      case .note: .init(text.raised, colour: faint)
      }
    }
    return PageText(
      runs, size: size, width: width, lineHeight: PageStyle.lineHeight, isRightAligned: isRightAligned,
      mostHeight: mostHeight)
  }
}

extension String {
  /// Digits as they stand above the line.
  fileprivate var raised: String {
    String(map { character in character.wholeNumberValue.map { Array("⁰¹²³⁴⁵⁶⁷⁸⁹")[$0] } ?? character })
  }
}
