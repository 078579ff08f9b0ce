import Basics
import Glibc

/// Writes a drawing as SVG; the same drawing always gives the same bytes.
///
/// Text stays text: selectable, searchable, accessible to screen readers, and a tenth of the size of its outlines.
struct SVGWriter {
  let drawing: Drawing
  let appearance: Appearance
  /// The prefix of the element IDs of the title and the description.
  let identifier: String
  private var text = ""
  private var used: Set<Ink> = []

  init(drawing: Drawing, appearance: Appearance, identifier: String) {
    (self.drawing, self.appearance, self.identifier) = (drawing, appearance, identifier)
  }

  private var theme: Theme { appearance == .dark ? .dark : .light }

  static func write(_ drawing: Drawing, appearance: Appearance, identifier: String) -> String {
    var writer = SVGWriter(drawing: drawing, appearance: appearance, identifier: identifier)
    return writer.document()
  }

  private mutating func document() -> String {
    let (width, height) = (hundredths(drawing.size.width), hundredths(drawing.size.height))
    let magnification = drawing.magnification
    let (shownWidth, shownHeight) = (
      hundredths(drawing.size.width * magnification), hundredths(drawing.size.height * magnification)
    )
    let ground = attributes(fill: .ground, stroke: nil)
    for element in drawing.elements { write(element) }
    let body = text
    let name = identifier.escapedForXML
    let label = drawing.title.isEmpty ? drawing.summary : drawing.title
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(shownWidth)" height="\(shownHeight)" \
      viewBox="0 0 \(width) \(height)" \
      role="img" aria-labelledby="\(name)-title" aria-describedby="\(name)-desc" \
      font-family="\(PageRuler.fonts)" stroke-linecap="round" stroke-linejoin="round">
      <title id="\(name)-title">\(label.escapedForXML)</title>
      <desc id="\(name)-desc">\(drawing.summary.escapedForXML)</desc>
      \(styleSheet())<rect width="\(width)" height="\(height)"\(ground)/>
      \(body)</svg>

      """
  }

  /// The style rules for readers who prefer a dark colour scheme; empty if the appearance is fixed.
  private func styleSheet() -> String {
    guard appearance == .automatic else { return "" }
    let rules = used.sorted { $0.name < $1.name }.map { ink -> String in
      let colour = Theme.dark.colour(of: ink)
      let opacity = colour.opacity < 1 ? hundredths(colour.opacity) : ""
      let fill = opacity.isEmpty ? "" : ";fill-opacity:\(opacity)"
      let stroke = opacity.isEmpty ? "" : ";stroke-opacity:\(opacity)"
      return ".cf-\(ink.name){fill:\(colour.hex)\(fill)}.cs-\(ink.name){stroke:\(colour.hex)\(stroke)}"
    }
    return "<style>@media screen and (prefers-color-scheme:dark){\(rules.joined())}</style>\n"
  }

  private mutating func write(_ element: Element) {
    switch element {
    case .shape(let path, let fill, let stroke):
      guard !path.commands.isEmpty else { return }
      text += "<path\(attributes(fill: fill, stroke: stroke)) d=\"\(data(path))\"/>\n"
    case .text(let label): write(label)
    case .clipped(let rect, let elements):
      // A nested `svg` clips without an ID, which would have to be unique in the page.
      let (x, y) = (hundredths(rect.x), hundredths(rect.y))
      let (width, height) = (hundredths(rect.width), hundredths(rect.height))
      text += "<svg x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\" "
      text += "viewBox=\"\(x) \(y) \(width) \(height)\">\n"
      for element in elements { write(element) }
      text += "</svg>\n"
    }
  }

  private mutating func write(_ label: Label) {
    let isRightToLeft = label.text.isRightToLeft
    text += "<text x=\"\(hundredths(label.at.x))\" y=\"\(hundredths(label.at.y))\""
    text += " font-size=\"\(hundredths(label.font.size))\""
    if label.font.isBold { text += " font-weight=\"700\"" }
    // In right-to-left text, the start is on the right.
    if isRightToLeft { text += " direction=\"rtl\"" }
    switch (label.anchor, isRightToLeft) {
    case (.middle, _): text += " text-anchor=\"middle\""
    case (.end, false), (.start, true): text += " text-anchor=\"end\""
    default: break
    }
    if label.hasHalo {
      used.insert(.ground)
      let ground = Theme.light == theme ? Theme.light.colour(of: .ground) : Theme.dark.colour(of: .ground)
      text += " paint-order=\"stroke\" stroke=\"\(ground.hex)\" stroke-width=\"3\""
      if appearance == .automatic { text += " class=\"cf-\(label.ink.name) cs-ground\"" }
      used.insert(label.ink)
      text += " fill=\"\(theme.colour(of: label.ink).hex)\""
    } else {
      text += attributes(fill: label.ink, stroke: nil)
    }
    text += ">\(label.text.escapedForXML)</text>\n"
  }

  private mutating func attributes(fill: Ink?, stroke: Stroke?) -> String {
    var attributes = ""
    var classes: [String] = []
    if let fill {
      used.insert(fill)
      classes.append("cf-\(fill.name)")
      let colour = theme.colour(of: fill)
      attributes += " fill=\"\(colour.hex)\""
      if colour.opacity < 1 { attributes += " fill-opacity=\"\(hundredths(colour.opacity))\"" }
    } else {
      attributes += " fill=\"none\""
    }
    if let stroke {
      used.insert(stroke.ink)
      classes.append("cs-\(stroke.ink.name)")
      let colour = theme.colour(of: stroke.ink)
      attributes += " stroke=\"\(colour.hex)\" stroke-width=\"\(hundredths(stroke.width))\""
      if colour.opacity < 1 { attributes += " stroke-opacity=\"\(hundredths(colour.opacity))\"" }
      if !stroke.dash.isEmpty {
        attributes += " stroke-dasharray=\"\(stroke.dash.map(hundredths).joined(separator: " "))\""
      }
    }
    if appearance == .automatic { attributes += " class=\"\(classes.joined(separator: " "))\"" }
    return attributes
  }

  private func data(_ path: Path) -> String {
    var data = ""
    func place(_ point: Point) -> String {
      let y = hundredths(point.y)
      return hundredths(point.x) + (y.hasPrefix("-") ? "" : " ") + y
    }
    // The current point, and the start of the subpath, to which closing returns.
    var (current, start): (Point?, Point?) = (nil, nil)
    for command in path.commands {
      switch command {
      case .move(let point):
        data += "M" + place(point)
        (current, start) = (point, point)
      // A dot is a zero-length line.
      case .line(let point) where current == point: data += "h0"
      case .line(let point):
        data += "L" + place(point)
        current = point
      case .arc(let centre, let radius, let from, let to):
        func edge(_ angle: Double) -> Point {
          Point(x: centre.x + radius * cos(angle), y: centre.y + radius * sin(angle))
        }
        // An SVG arc starts at the current point, whatever its centre.
        if current.map(place) != place(edge(from)) { data += (current == nil ? "M" : "L") + place(edge(from)) }
        if current == nil { start = edge(from) }
        // Two halves, because SVG draws no arc for a full turn.
        let size = hundredths(radius)
        for angle in [(from + to) / 2, to] { data += "A\(size) \(size) 0 0 1 " + place(edge(angle)) }
        current = edge(to)
      case .close:
        data += "Z"
        current = start
      }
    }
    return data
  }
}

/// A coordinate or length in an SVG file, rounded to hundredths without trailing zeros.
func hundredths(_ number: Double) -> String {
  let rounded = Int((number * 100).rounded())
  let (whole, rest) = (rounded.magnitude / 100, rounded.magnitude % 100)
  var text = rounded < 0 ? "-" : ""
  if whole > 0 || rest == 0 { text += String(whole) }
  if rest > 0 { text += rest % 10 == 0 ? ".\(rest / 10)" : rest < 10 ? ".0\(rest)" : ".\(rest)" }
  return text
}
