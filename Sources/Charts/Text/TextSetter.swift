import Basics

/// Chooses the font of text, measures, wraps and truncates it.
struct TextSetter: Sendable {
  let style: Style
  let ruler: any TextRuler

  func width(_ text: String, isTitle: Bool = false) -> Double {
    ruler.width(of: text, in: isTitle ? style.titleFont : style.font)
  }

  /// Text at a position, with its upper edge at `top`.
  func label(
    _ text: String, x: Double, top: Double, anchor: Label.Anchor = .start, isTitle: Bool = false, ink: Ink = .text,
    hasHalo: Bool = false
  ) -> Label {
    let font = isTitle ? style.titleFont : style.font
    let width = ruler.width(of: text, in: font)
    let height = isTitle ? style.titleHeight : style.textHeight
    let left =
      switch anchor {
      case .start: x
      case .middle: x - width / 2
      case .end: x - width
      }
    return Label(
      text: text, at: Point(x: x, y: top + (isTitle ? style.titleBaseline : style.textBaseline)), anchor: anchor,
      font: font, ink: ink, hasHalo: hasHalo, box: Rect(x: left, y: top, width: width, height: height))
  }

  /// The text, truncated with “…” if necessary; empty if not even one letter fits.
  func shortened(_ text: String, to room: Double, isTitle: Bool = false) -> String {
    guard width(text, isTitle: isTitle) > room else { return text }
    let characters = Array(text)
    var (fits, tooMany) = (-1, characters.count)
    while tooMany - fits > 1 {
      let middle = (fits + tooMany) / 2
      if width(String(characters[..<middle]) + "…", isTitle: isTitle) <= room {
        fits = middle
      } else {
        tooMany = middle
      }
    }
    guard fits > 0 else { return "" }
    var end = fits
    while end > 1, characters[end - 1] == " " { end -= 1 }
    return String(characters[..<end]) + "…"
  }

  /// The text on a limited number of lines, wrapped at spaces; the rest is truncated.
  func lines(_ text: String, width room: Double, atMost limit: Int, isTitle: Bool = false) -> [String] {
    guard !text.isEmpty, limit > 0 else { return [] }
    var lines: [String] = []
    var rest = text.split(separator: " ")[...]
    while let first = rest.first, lines.count < limit {
      if lines.count == limit - 1 {
        lines.append(rest.joined(separator: " "))
        break
      }
      var line = String(first)
      rest = rest.dropFirst()
      while let next = rest.first, width(line + " " + next, isTitle: isTitle) <= room {
        line += " " + next
        rest = rest.dropFirst()
      }
      lines.append(line)
    }
    return lines.map { shortened($0, to: room, isTitle: isTitle) }.filter { !$0.isEmpty }
  }
}

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
