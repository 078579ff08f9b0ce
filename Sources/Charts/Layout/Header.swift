/// The rows above the data: title, subtitle and legend.
struct Header {
  private(set) var elements: [Element] = []
  /// The upper limit of the plot area.
  private(set) var bottom: Double

  init(
    _ heading: Heading, legend: [LegendEntry], isDashed: Bool = false, details: Set<Detail>, width: Double,
    setter: TextSetter
  ) {
    let style = setter.style
    let room = width - 2 * style.padding
    bottom = style.padding
    if details.contains(.title) {
      for line in setter.lines(
        heading.title.inOneLine, width: room, atMost: details.contains(.wideTitle) ? 2 : 1, isTitle: true)
      {
        elements.append(.text(setter.label(line, x: style.padding, top: bottom, isTitle: true)))
        bottom += style.titleHeight
      }
    }
    if details.contains(.subtitle) {
      for line in setter.lines(heading.subtitle.inOneLine, width: room, atMost: 2) {
        elements.append(.text(setter.label(line, x: style.padding, top: bottom, ink: .faintText)))
        bottom += style.textHeight
      }
    }
    if !elements.isEmpty { bottom += style.rowGap }
    if details.contains(.legend), !legend.isEmpty {
      addLegend(legend, isDashed: isDashed, room: room, setter: setter)
    }
  }

  private mutating func addLegend(_ legend: [LegendEntry], isDashed: Bool, room: Double, setter: TextSetter) {
    let style = setter.style
    let afterSwatch = style.swatchGap
    var left = style.padding
    for entry in legend {
      let text = setter.shortened(entry.label.inOneLine, to: room - style.swatch - afterSwatch)
      let width = style.swatch + afterSwatch + setter.width(text)
      if left > style.padding, left + width > style.padding + room {
        left = style.padding
        bottom += style.textHeight
      }
      elements += entry.swatch.elements(
        in: Rect(x: left, y: bottom, width: style.swatch, height: style.textHeight), isDashed: isDashed, style: style)
      if !text.isEmpty {
        elements.append(.text(setter.label(text, x: left + style.swatch + afterSwatch, top: bottom)))
      }
      left += width + style.entryGap
    }
    bottom += style.textHeight + style.rowGap
  }
}

/// The optional parts of a layout, in the order in which they are dropped when there is too little room.
enum Detail: Int, CaseIterable, Hashable, Sendable {
  /// The title's second line.
  case wideTitle
  case subtitle, horizontalTitle, strip, title, verticalTitle, legend, horizontalTicks

  /// All parts, then ever fewer.
  static let choices: [Set<Detail>] = (0...allCases.count).map { Set(allCases.dropFirst($0)) }
}

extension Heading {
  /// What these details leave out of the heading.
  func parts(leftOutOf details: Set<Detail>) -> [ChartPart] {
    var parts: [ChartPart] = []
    if !title.isEmpty, !details.contains(.title) { parts.append(.title) }
    if !subtitle.isEmpty, !details.contains(.subtitle) { parts.append(.subtitle) }
    return parts
  }
}

extension LegendEntry.Swatch {
  /// The sample in front of a legend entry; lines have the same style as in the plot.
  func elements(in rect: Rect, isDashed: Bool, style: Style) -> [Element] {
    let middle = Point(x: rect.x + rect.width / 2, y: style.isCrisp ? rect.y + rect.height / 2 : rect.bottom - 2)
    let left = Point(x: rect.x, y: middle.y)
    let right = Point(x: style.isCrisp ? rect.right : rect.right - 1, y: middle.y)
    func line(_ from: Point, _ to: Point, _ ink: Ink, _ dash: [Double] = [], width: Double? = nil) -> Element {
      .shape(Path(line: [from, to]), fill: nil, stroke: Stroke(ink: ink, width: width ?? style.lineWidth, dash: dash))
    }
    func glyph(_ glyph: Character, _ series: Int) -> Element {
      let (column, row) = ((middle.x / 2).rounded(.down), (rect.y / 4).rounded())
      return .text(style.glyph(glyph, column: column, row: row, ink: .series(series)))
    }
    func mark(_ series: Int) -> [Element] {
      guard style.markRadius > 0 else { return [glyph(LineMarks.dotGlyph, series)] }
      var path = Path()
      Mark.of(series: series).add(to: &path, at: middle, radius: style.markRadius)
      return [.shape(path, fill: .series(series), stroke: nil)]
    }
    switch self {
    case .line(let series, let marks):
      let drawn = line(left, right, .series(series), isDashed ? Dashes.of(series: series) : [])
      guard style.markRadius == 0 else { return [drawn] + (marks == .none ? [] : mark(series)) }
      return [drawn] + (marks.glyph(series: series).map { [glyph($0, series)] } ?? [])
    case .mark(let series): return mark(series)
    case .surface(let ink):
      let height = style.isCrisp ? 11.0 : 3
      return [
        .shape(
          Path(Rect(x: rect.x, y: middle.y - height / 2, width: rect.width, height: height)), fill: ink,
          stroke: style.isCrisp ? Stroke(ink: .axis, width: 0.75) : nil)
      ]
    case .reference: return [line(left, right, .reference, [5, 3], width: 1.25)]
    case .instant:
      return [line(Point(x: middle.x, y: rect.y + 2), Point(x: middle.x, y: rect.bottom - 2), .instant, width: 1.25)]
    case .outline(let ink, let dash): return [line(left, right, ink, dash)]
    }
  }
}
