/// The plot area on the canvas, the numbers of the vertical axis, and both axis titles.
struct AxesFrame {
  let details: Set<Detail>
  let header: Header
  let plot: Rect
  /// The range of the vertical axis, extended to round numbers if they are near.
  let vertical: Extent
  let verticalTicks: [Tick]
  /// The numbers of the vertical axis and both axes' titles.
  private(set) var words: [Label] = []

  init(
    _ figure: AxesFigure, _ heading: Heading, legend: [LegendEntry], isDashed: Bool, details: Set<Detail>,
    size: CanvasSize, vertical wanted: Extent, setter: TextSetter
  ) {
    let style = setter.style
    self.details = details
    header = Header(
      heading, legend: legend, isDashed: isDashed, details: details, width: size.width, setter: setter)
    var top = header.bottom
    let hasVerticalTitle = details.contains(.verticalTitle) && !figure.y.title.isEmpty
    if hasVerticalTitle { top += style.textHeight + style.rowGap }
    let titleTop = header.bottom
    if details.contains(.strip), figure.hasStrip {
      top += style.textHeight + style.rowGap * 0.6
    } else {
      // The uppermost number extends half its height above the data.
      top += style.textHeight / 2
    }
    var bottom = size.height - style.padding
    let hasHorizontalTitle = details.contains(.horizontalTitle) && !figure.x.title.isEmpty
    if hasHorizontalTitle { bottom -= style.textHeight }
    let horizontalTitleTop = bottom
    if details.contains(.horizontalTicks) {
      bottom -= style.textHeight + style.tickGap + style.rowGap * 0.6
      if !figure.groups.isEmpty { bottom -= style.textHeight }
    }
    let height = max(1, bottom - top)

    let hasFixedRange = figure.y.range?.isUsable == true
    func numbers(_ height: Double) -> (extent: Extent, ticks: [Tick], left: Double, width: Double) {
      var (extent, ticks) = Self.verticalTicks(wanted, isFixed: hasFixedRange, height: height, style: style)
      var widest = ticks.map { setter.width($0.text) }.max() ?? 0
      // Numbers that would fill half of the width are left out.
      if widest > size.width / 2 { (ticks, widest) = ([], 0) }
      let left = style.padding + widest + style.tickGap
      return (extent, ticks, left, max(1, size.width - style.padding - left - (style.isCrisp ? 4 : 0)))
    }
    var plotHeight = height
    var found = numbers(plotHeight)
    if figure.isSquare {
      // A square plot: in less height, the axis may get other numbers.
      while found.width < plotHeight {
        plotHeight = found.width
        found = numbers(plotHeight)
      }
      found.width = plotHeight
    }
    (vertical, verticalTicks) = (found.extent, found.ticks)
    let left = found.left
    plot = Rect(x: left, y: top, width: found.width, height: plotHeight)

    let scale = PlaceScale(vertical, from: plot.bottom, to: plot.y)
    for tick in verticalTicks {
      words.append(
        setter.label(
          tick.text, x: left - style.tickGap, top: scale.place(tick.value) - style.textHeight / 2, anchor: .end,
          ink: .faintText))
    }
    let room = size.width - 2 * style.padding
    if hasVerticalTitle {
      let text = setter.shortened(figure.y.title.inOneLine, to: room)
      if !text.isEmpty { words.append(setter.label(text, x: style.padding, top: titleTop)) }
    }
    if hasHorizontalTitle {
      let text = setter.shortened(figure.x.title.inOneLine, to: room)
      let half = setter.width(text) / 2
      let middle = min(max(plot.x + plot.width / 2, style.padding + half), size.width - style.padding - half)
      let titleTop = figure.isSquare ? plot.bottom + horizontalTitleTop - bottom : horizontalTitleTop
      if !text.isEmpty { words.append(setter.label(text, x: middle, top: titleTop, anchor: .middle)) }
    }
  }

  private static func verticalTicks(
    _ wanted: Extent, isFixed: Bool, height: Double, style: Style
  ) -> (Extent, [Tick]) {
    let limit = min(max(2, Int(height / style.tickRoom)), 9)
    func fits(_ ticks: [Tick], in extent: Extent) -> Bool {
      let scale = PlaceScale(extent, from: height, to: 0)
      let places = ticks.map { scale.place($0.value) }
      return zip(places, places.dropFirst()).allSatisfy { ($0 - $1).magnitude >= style.textHeight }
    }
    guard !isFixed else {
      let sets = TickSets(scale: .number, low: wanted.low, high: wanted.high, limit: limit + 1)
      return (wanted, sets.first { fits($0, in: wanted) })
    }
    var step = DecimalStep(atLeast: (wanted.high - wanted.low) / Double(limit))
    while true {
      let first = Int((wanted.low / step.value + 1e-9).rounded(.down))
      let last = max(first + 1, Int((wanted.high / step.value - 1e-9).rounded(.up)))
      // An axis ends at a round number, unless that would waste a good part of the plot.
      let room = step.value * 0.45
      let low = step.value(times: first) < wanted.low - room ? wanted.low : step.value(times: first)
      let high = step.value(times: last) > wanted.high + room ? wanted.high : step.value(times: last)
      let extent = Extent(low...high)
      guard let counts = step.multiples(from: low, to: high).map(Array.init) else { return (wanted, []) }
      let ticks = zip(counts, tickTexts(counts, of: step)).map { Tick(value: step.value(times: $0), text: $1) }
      if fits(ticks, in: extent) { return (extent, ticks) }
      // Not even two numbers fit: use the data's range, without numbers.
      if counts.count <= 1 { return (wanted, []) }
      step = step.coarser
    }
  }
}

extension AxesFigure {
  /// Whether there are labels directly above the data.
  var hasStrip: Bool {
    spans.contains { !$0.label.isEmpty } || instants.contains { !$0.label.isEmpty } || !bands.isEmpty
  }
}

/// Positions the labels of spans, instants and reference lines.
struct AnnotationLayout {
  let figure: AxesFigure
  let plot: Rect
  let x: PlaceScale
  let y: PlaceScale
  let setter: TextSetter
  /// The painter of the data, which knows the areas to avoid.
  let painter: LayerPainter
  /// Labels that are already positioned.
  let others: [Label]

  private(set) var labels: [Label] = []
  /// The labels that did not fit.
  private(set) var homeless: [LegendEntry] = []

  init(
    figure: AxesFigure, plot: Rect, x: PlaceScale, y: PlaceScale, setter: TextSetter, painter: LayerPainter,
    others: [Label]
  ) {
    (self.figure, self.plot, self.x, self.y) = (figure, plot, x, y)
    (self.setter, self.painter, self.others) = (setter, painter, others)
  }

  private var style: Style { setter.style }

  /// The row directly above the data: labels of instants beside their lines, those of spans and bands centred above
  /// them.
  mutating func placeStrip() {
    let top = plot.y - style.textHeight - style.rowGap * 0.4
    placeInstants(top: top)
    for span in figure.spans where !span.label.isEmpty && span.to >= x.low && span.from <= x.high {
      let ends = (max(plot.x, x.place(span.from)), min(plot.right, x.place(span.to)))
      put(over: ends, span.label, top: top, entry: LegendEntry(label: span.label, swatch: .surface(.span)))
    }
    for band in figure.bands where band.to >= x.low && band.from <= x.high {
      let ends = (max(plot.x, x.place(band.from)), min(plot.right, x.place(band.to)))
      let whole = "\(band.label), \(band.limits)"
      let hasRoom = setter.width(whole.inOneLine) + style.gap <= ends.1 - ends.0
      put(
        over: ends, hasRoom ? whole : band.label, top: top, entry: LegendEntry(label: whole, swatch: .surface(band.ink))
      )
    }
  }

  /// Labels an instant on the side with more room to the next line, and never across another line.
  private mutating func placeInstants(top: Double) {
    let seen = figure.instants.filter { $0.at >= x.low && $0.at <= x.high }
    let lines = seen.map { x.place($0.at) }
    var named: Set<String> = []
    var missing: [String] = []
    for (place, instant) in zip(lines, seen) {
      let text = instant.label.inOneLine
      guard !text.isEmpty else { continue }
      let left = setter.label(text, x: place - style.gap * 0.4, top: top, anchor: .end, ink: .instant)
      let right = setter.label(text, x: place + style.gap * 0.4, top: top, anchor: .start, ink: .instant)
      let before = lines.filter { $0 < place }.max().map { place - $0 } ?? .infinity
      let after = lines.filter { $0 > place }.min().map { $0 - place } ?? .infinity
      // A label that crosses the line of another instant would seem to belong to it.
      let candidates = (before > after ? [left, right] : [right, left]).filter { label in
        !lines.contains { $0 != place && $0 > label.box.x - style.gap * 0.4 && $0 < label.box.right + style.gap * 0.4 }
      }
      if let free = free(candidates, margin: style.gap * 0.4) {
        labels.append(free)
        named.insert(text)
      } else {
        missing.append(text)
      }
    }
    // If the same text labels another line, no legend entry is needed.
    for text in missing where !named.contains(text) { note(LegendEntry(label: text, swatch: .instant)) }
  }

  private mutating func put(over ends: (Double, Double), _ text: String, top: Double, entry: LegendEntry) {
    let text = text.inOneLine
    guard setter.width(text) <= ends.1 - ends.0 else { return note(entry) }
    let label = setter.label(text, x: (ends.0 + ends.1) / 2, top: top, anchor: .middle, ink: .faintText)
    if let free = free([label], margin: style.gap * 0.4) { labels.append(free) } else { note(entry) }
  }

  /// Labels reference lines, above or below the line, where the space is free; over a band if necessary.
  mutating func placeReferences() {
    for reference in figure.references where reference.value >= y.low && reference.value <= y.high {
      let text = reference.label.inOneLine
      guard !text.isEmpty else { continue }
      let place = y.place(reference.value)
      let inset = style.gap * 0.6
      var candidates: [Label] = []
      // Try from the right end to the left in steps, above the line and below it.
      let room = plot.width - 2 * inset - setter.width(text)
      let steps = 8
      for step in 0...steps where room >= 0 {
        let left = plot.x + inset + room * Double(steps - step) / Double(steps)
        for top in [place - style.textHeight - (style.isCrisp ? 1 : 0), place + (style.isCrisp ? 1 : 0)] {
          candidates.append(setter.label(text, x: left, top: top, ink: .faintText, hasHalo: true))
        }
      }
      let lines = figure.instants.map { x.place($0.at) } + figure.spans.flatMap { [x.place($0.from), x.place($0.to)] }
      let possible = candidates.filter { label in
        let box = label.box.expanded(by: style.isCrisp ? 1 : 0)
        return plot.contains(label.box) && !painter.occupied.contains { box.touches($0) }
          && !painter.blocks.contains { box.overlaps($0) } && !lines.contains { $0 > box.x && $0 < box.right }
      }
      let clear = possible.filter { label in !painter.bands.contains { label.box.overlaps($0) } }
      if let free = free(clear, margin: 0) ?? free(possible, margin: 0) {
        labels.append(free)
      } else {
        note(LegendEntry(label: text, swatch: .reference))
      }
    }
  }

  /// The first candidate that does not overlap another label.
  private func free(_ candidates: [Label], margin: Double) -> Label? {
    let edge = style.isCrisp ? 2.0 : 0
    return candidates.first { label in
      label.box.x >= edge && label.box.right <= plot.right + style.padding
        && !(labels + others).contains { other in
          Rect(x: other.box.x - margin, y: other.box.y, width: other.box.width + 2 * margin, height: other.box.height)
            .overlaps(label.box)
        }
    }
  }

  private mutating func note(_ entry: LegendEntry) {
    if !homeless.contains(entry) { homeless.append(entry) }
  }
}
