/// Size and weight of words.
struct Font: Hashable, Sendable {
  var size: Double
  var isBold = false
}

/// Measures words in the way in which they will be drawn.
protocol TextRuler: Sendable {
  /// How wide the words are in one line, in points.
  func width(of text: String, in font: Font) -> Double
}

/// The fonts that a chart's words are drawn with.
///
/// All of them have the widths of Arial, so that a chart laid out here fits wherever it is read.
enum FontStack {
  static let css = "Arial,Helvetica,'Liberation Sans',Arimo,sans-serif"
  static let pango = "Liberation Sans,Arial,Helvetica,Arimo,sans-serif"
  static let monospaced = "Liberation Mono,Courier New,Cousine,DejaVu Sans Mono,monospace"
}

/// Measures words for a page that is read elsewhere: by the widths of Arial, which are the same on every computer.
///
/// Words in other scripts are measured by Pango with this computer's fonts, where it is installed, and otherwise with room
/// to spare.
struct PageRuler: TextRuler {
  func width(of text: String, in font: Font) -> Double {
    var sum = 0.0
    for character in text.unicodeScalars {
      guard let width = ArialWidths.width(of: character, isBold: font.isBold) else {
        return (try? PangoLibrary.shared.get().width(of: text, in: font)) ?? Self.generousWidth(of: text, in: font)
      }
      sum += width
    }
    return sum * font.size
  }

  /// A width that hardly any font exceeds.
  static func generousWidth(of text: String, in font: Font) -> Double {
    text.reduce(0) { sum, character in
      sum + CellRuler.cells(of: character) * (character.isASCII ? 0.62 : 0.75) * font.size
    }
  }
}

/// Measures words in a terminal, in dots of braille: two a cell.
struct CellRuler: TextRuler {
  func width(of text: String, in font: Font) -> Double { Self.cells(of: text) * 2 }

  static func cells(of text: String) -> Double { text.reduce(0) { $0 + cells(of: $1) } }

  /// How many cells a terminal gives to a character: two for East Asian wide ones and pictures.
  static func cells(of character: Character) -> Double {
    guard let first = character.unicodeScalars.first else { return 0 }
    let properties = first.properties
    if properties.generalCategory == .nonspacingMark || properties.generalCategory == .enclosingMark
      || properties.generalCategory == .format
    {
      return 0
    }
    // Pictures that are text by default become two cells wide with variation selector 16.
    let isPicture =
      properties.isEmojiPresentation || character.unicodeScalars.contains { $0.value == 0xfe0f }
    return isPicture || wide.contains { $0.contains(first.value) } ? 2 : 1
  }

  /// The blocks whose East_Asian_Width is W or F (Unicode Standard Annex 11).
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115f, 0x2e80...0x303e, 0x3041...0x33ff, 0x3400...0x4dbf, 0x4e00...0x9fff, 0xa000...0xa4cf,
    0xa960...0xa97f,
    0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6, 0x1f300...0x1f64f,
    0x1f680...0x1f6ff, 0x1f900...0x1f9ff, 0x20000...0x3fffd,
  ]
}
