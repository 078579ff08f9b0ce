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
