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
