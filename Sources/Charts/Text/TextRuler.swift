import Basics

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
      sum + Double(character.displayWidth) * (character.isASCII ? 0.62 : 0.75) * font.size
    }
  }
}

/// Measures words in a terminal, in dots of braille: two a cell.
struct CellRuler: TextRuler {
  func width(of text: String, in font: Font) -> Double { Double(text.displayWidth * 2) }
}
