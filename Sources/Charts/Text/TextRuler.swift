import Basics

/// The size and weight of text.
struct Font: Hashable, Sendable {
  var size: Double
  var isBold = false
}

/// Measures text as it will be rendered.
protocol TextRuler: Sendable {
  /// The width of the text on one line, in points.
  func width(of text: String, in font: Font) -> Double
}

/// The fonts of charts.
///
/// All of them have the widths of Arial, so that a layout made here fits on any computer.
enum FontStack {
  static let css = "Arial,Helvetica,'Liberation Sans',Arimo,sans-serif"
  static let pango = "Liberation Sans,Arial,Helvetica,Arimo,sans-serif"
  static let monospaced = "Liberation Mono,Courier New,Cousine,DejaVu Sans Mono,monospace"
}

/// Measures text for pages that are read elsewhere: with the widths of Arial, which are the same on every computer.
///
/// Text in other scripts is measured by Pango with this computer's fonts if Pango is installed, and otherwise estimated
/// generously.
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

  /// An estimate that hardly any font exceeds.
  static func generousWidth(of text: String, in font: Font) -> Double {
    text.reduce(0) { sum, character in
      sum + Double(character.displayWidth) * (character.isASCII ? 0.62 : 0.75) * font.size
    }
  }
}

/// Measures text for a terminal, in braille dots: two per cell.
struct CellRuler: TextRuler {
  func width(of text: String, in font: Font) -> Double { Double(text.displayWidth * 2) }
}
