/// Finds places for the words of spans, instants and reference lines.
struct AnnotationLayout {
  let figure: AxesFigure
  let plot: Rect
  let x: PlaceScale
  let y: PlaceScale
  let setter: TextSetter
  /// Where lines and marks are; words go where there are few.
  let occupied: [Point]
  let blocks: [Rect]
  /// Words that are already there.
  let others: [Label]

  private(set) var labels: [Label] = []
  /// What found no place.
  private(set) var homeless: [LegendEntry] = []

  init(
    figure: AxesFigure, plot: Rect, x: PlaceScale, y: PlaceScale, setter: TextSetter, occupied: [Point], blocks: [Rect],
    others: [Label]
  ) {
    (self.figure, self.plot, self.x, self.y) = (figure, plot, x, y)
    (self.setter, self.occupied, self.blocks, self.others) = (setter, occupied, blocks, others)
  }

  private var style: Style { setter.style }

  /// The row right above the data: instants beside their lines, spans and bands over their middles.
  mutating func placeStrip() {
    let top = plot.y - style.textHeight - style.rowGap * 0.4
    let margin = style.gap * 0.4
    for (index, instant) in figure.instants.enumerated() where instant.at >= x.low && instant.at <= x.high {
      let text = instant.label.inOneLine
      guard !text.isEmpty else { continue }
      let place = x.place(instant.at)
      // A word on the side of its line that is away from the next line.
      let left = setter.label(text, x: place - style.gap * 0.4, top: top, anchor: .end, ink: .instant)
      let right = setter.label(text, x: place + style.gap * 0.4, top: top, anchor: .start, ink: .instant)
      let isFirstOfTwo = figure.instants.count == 2 && index == 0
      let candidates = isFirstOfTwo ? [left, right] : [right, left]
      put(candidates, margin: margin, otherwise: LegendEntry(label: text, swatch: .instant))
    }
    for span in figure.spans where !span.label.isEmpty && span.to >= x.low && span.from <= x.high {
      let ends = (max(plot.x, x.place(span.from)), min(plot.right, x.place(span.to)))
      put(over: ends, span.label, top: top, entry: LegendEntry(label: span.label, swatch: .surface(.span)))
    }
    for band in figure.bands where band.to >= x.low && band.from <= x.high {
      let ends = (max(plot.x, x.place(band.from)), min(plot.right, x.place(band.to)))
      put(over: ends, band.label, top: top, entry: LegendEntry(label: band.label, swatch: .surface(band.ink)))
    }
  }

  private mutating func put(over ends: (Double, Double), _ text: String, top: Double, entry: LegendEntry) {
    let text = text.inOneLine
    guard setter.width(text) <= ends.1 - ends.0 else {
      note(entry)
      return
    }
    let label = setter.label(text, x: (ends.0 + ends.1) / 2, top: top, anchor: .middle, ink: .faintText)
    put([label], margin: style.gap * 0.4, otherwise: entry)
  }

  /// Words of reference lines, above or below the line, where nothing is in their way.
  mutating func placeReferences() {
    for reference in figure.references where reference.value >= y.low && reference.value <= y.high {
      let text = reference.label.inOneLine
      guard !text.isEmpty else { continue }
      let place = y.place(reference.value)
      let inset = style.gap * 0.6
      var candidates: [Label] = []
      // From the right end in steps to the left one, above the line and below it.
      let room = plot.width - 2 * inset - setter.width(text)
      let steps = 8
      for step in 0...steps where room >= 0 {
        let left = plot.x + inset + room * Double(steps - step) / Double(steps)
        for top in [place - style.textHeight - (style.isCrisp ? 1 : 0), place + (style.isCrisp ? 1 : 0)] {
          candidates.append(setter.label(text, x: left, top: top, ink: .faintText, hasHalo: true))
        }
      }
      let lines = figure.instants.map { x.place($0.at) } + figure.spans.flatMap { [x.place($0.from), x.place($0.to)] }
      let free = candidates.filter { label in
        let box = label.box.expanded(by: style.isCrisp ? 1 : 0)
        return plot.contains(label.box) && !occupied.contains { box.contains($0) }
          && !blocks.contains { box.overlaps($0) } && !lines.contains { $0 > box.x && $0 < box.right }
      }
      put(free, margin: 0, otherwise: LegendEntry(label: text, swatch: .reference))
    }
  }

  private mutating func put(_ candidates: [Label], margin: Double, otherwise entry: LegendEntry) {
    let edge = style.isCrisp ? 2.0 : 0
    let free = candidates.first { label in
      label.box.x >= edge && label.box.right <= plot.right + style.padding
        && !(labels + others).contains { other in
          Rect(x: other.box.x - margin, y: other.box.y, width: other.box.width + 2 * margin, height: other.box.height)
            .overlaps(label.box)
        }
    }
    if let free { labels.append(free) } else { note(entry) }
  }

  private mutating func note(_ entry: LegendEntry) {
    if !homeless.contains(entry) { homeless.append(entry) }
  }
}
