import Charts

/// The dimensions and colours of a printed page, in points of 1/96 inch.
enum PageStyle {
  static let size = CanvasSize.a4
  static let margin = 62.0
  static let width = size.width - 2 * margin
  static let top = margin
  /// The lower limit of the last line above the footer.
  static let bottom = size.height - 76
  static let footer = size.height - 52

  static let body = 12.5
  static let small = 11.0
  static let table = 10.5
  static let lineHeight = 1.18

  /// The font size of a heading, by its level.
  static func heading(_ level: Int) -> Double { [25, 17, 14, 12.5][max(1, min(level, 4)) - 1] }

  static func colour(_ name: String) -> PageColour { PageColour(Palette.light[name]) }
}

extension StyledText {
  /// The text as printed, with superscript references to footnotes.
  func printed(
    size: Double, width: Double? = nil, colour: PageColour = .text, isBold: Bool = false, isRightAligned: Bool = false,
    mostHeight: Double? = nil
  ) -> PageText {
    let faint = PageStyle.colour("faint")
    let runs = runs.map { run -> PageText.Run in
      let text = run.style == .given ? run.text.isolated : run.text.printable
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
  /// The printable text; right-to-left text is isolated so as not to reorder its surroundings.
  ///
  /// The isolates are U+2068 FIRST STRONG ISOLATE and U+2069 POP DIRECTIONAL ISOLATE.
  fileprivate var isolated: String {
    let text = printable
    let isTurned = text.unicodeScalars.contains { letter in
      Self.rightToLeft.contains { $0.contains(letter.value) }
    }
    guard isTurned else { return text }
    let parts = text.escapes.map { $0.isEscape ? "\u{2066}\($0.text)\u{2069}" : $0.text }
    return "\u{2068}\(parts.joined())\u{2069}"
  }

  /// The code ranges of right-to-left scripts (Unicode Standard Annex 9, classes R and AL).
  private static let rightToLeft: [ClosedRange<UInt32>] = [
    0x590...0x8ff, 0xfb1d...0xfdff, 0xfe70...0xfeff, 0x10800...0x10fff, 0x1e800...0x1efff,
  ]

  /// The digits as superscripts.
  fileprivate var raised: String {
    String(map { character in character.wholeNumberValue.map { Array("⁰¹²³⁴⁵⁶⁷⁸⁹")[$0] } ?? character })
  }
}
