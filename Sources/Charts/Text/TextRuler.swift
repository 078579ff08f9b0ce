import Basics

/// Measures text as it will be rendered.
protocol TextRuler: Sendable {
  /// The width of the text on one line, in points.
  func width(of text: String, in font: Font) -> Double
}

/// Measures text for pages and pictures: with the widths of Arial, which are the same on every computer.
///
/// The widths of characters that the table does not have are estimated generously: hardly any font exceeds them.
struct PageRuler: TextRuler {
  /// The fonts that are drawn; all of them have the widths of Arial.
  static let fonts = "Arial,Helvetica,'Liberation Sans',Arimo,sans-serif"

  func width(of text: String, in font: Font) -> Double {
    font.size * text.reduce(0) { $0 + Self.width(of: $1, isBold: font.isBold) }
  }

  /// The width of a character as a part of the font's size.
  private static func width(of character: Character, isBold: Bool) -> Double {
    var sum = 0.0
    for scalar in character.unicodeScalars {
      guard let width = ArialWidths.width(of: scalar, isBold: isBold) else {
        return 0.75 * Double(character.displayWidth)
      }
      sum += width
    }
    return sum
  }
}

/// Measures text for a terminal, in braille dots: two per cell.
struct CellRuler: TextRuler {
  func width(of text: String, in font: Font) -> Double { Double(text.displayWidth * 2) }
}
