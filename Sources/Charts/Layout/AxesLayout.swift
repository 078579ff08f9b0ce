/// Lays out a chart with two axes without overlapping labels.
struct AxesLayout {
  let figure: AxesFigure
  let heading: Heading
  let size: CanvasSize
  let setter: TextSetter

  var style: Style { setter.style }

  /// The shapes and labels, and what there is no room for.
  func layout() -> ([Element], [ChartPart]) {
    // Labels that do not fit move to the legend, which changes the room for the plot: repeat until stable.
    var moved: [LegendEntry] = []
    while true {
      let attempt = attempt(moved: moved)
      let missing = attempt.homeless.filter { !moved.contains($0) }
      if missing.isEmpty { return (attempt.elements, attempt.partsLeftOut) }
      moved += missing
    }
  }

  private struct Attempt {
    var elements: [Element]
    /// The labels that did not fit.
    var homeless: [LegendEntry]
    var partsLeftOut: [ChartPart]
  }

  private func attempt(moved: [LegendEntry]) -> Attempt {
    let horizontal = figure.horizontalExtent
    let vertical = figure.isSquare ? squareExtent : figure.verticalExtent(within: horizontal)
    let frames = Detail.choices.lazy.map {
      AxesFrame(
        figure, heading, legend: figure.legend + moved, isDashed: isDashed, details: $0, size: size, vertical: vertical,
        setter: setter)
    }
    guard
      let frame = frames.first(where: { $0.plot.height >= style.leastPlot && $0.plot.width >= style.leastPlot })
        ?? frames.last
    else { return Attempt(elements: [], homeless: [], partsLeftOut: []) }
    return paint(frame, horizontal: figure.isSquare ? frame.vertical : horizontal)
  }

  /// Whether series differ in dashes, both in the plot and in the legend: on pages, unless a line is too dense.
  private var isDashed: Bool {
    let extent = figure.horizontalExtent
    return style.isCrisp
      && !figure.layers.contains { layer in
        guard case .line(let points, _, _) = layer else { return false }
        let count = points.count { $0.isPlottable && $0.x >= extent.low && $0.x <= extent.high }
        return style.isDense(count, across: size.width)
      }
  }

  private var squareExtent: Extent {
    var extent = figure.horizontalExtent
    extent.include(figure.verticalExtent(within: extent))
    return extent
  }

  private func paint(_ frame: AxesFrame, horizontal: Extent) -> Attempt {
    let plot = frame.plot
    let x = PlaceScale(horizontal, from: plot.x, to: plot.right)
    let y = PlaceScale(frame.vertical, from: plot.bottom, to: plot.y)
    var painter = LayerPainter(plot: plot, horizontal: x, vertical: y, style: style, isDashed: isDashed)
    for layer in figure.layers { painter.paint(layer) }
    let ticks = horizontalTicks(on: x, plot: plot)
    var words = AnnotationLayout(
      figure: figure, plot: plot, x: x, y: y, setter: setter, painter: painter,
      others: frame.words + painter.glyphs)
    if frame.details.contains(.strip) { words.placeStrip() }
    words.placeReferences()

    var elements = frame.header.elements
    elements += spans(on: x, plot: plot)
    elements += grid(frame, ticks: ticks, x: x, y: y)
    elements += bandLimits(on: x, plot: plot)
    elements += painter.elements
    elements.append(.clipped(plot.expanded(by: style.isCrisp ? 1 : 0), references(on: y, plot: plot)))
    elements += instants(on: x, plot: plot)
    elements += axis(frame, ticks: ticks, x: x)
    elements += (painter.glyphs + words.labels).map { .text($0) }
    // If the legend itself was left out, labels cannot move to it.
    let hasLegend = frame.details.contains(.legend)
    var parts = parts(leftOutOf: frame, horizontalNumbers: ticks.count)
    if !hasLegend, !(figure.legend + words.homeless).isEmpty { parts.append(.legend) }
    return Attempt(elements: elements, homeless: hasLegend ? words.homeless : [], partsLeftOut: parts)
  }

  private func parts(leftOutOf frame: AxesFrame, horizontalNumbers: Int) -> [ChartPart] {
    let details = frame.details
    var parts = heading.parts(leftOutOf: details)
    if !figure.y.title.isEmpty, !details.contains(.verticalTitle) { parts.append(.verticalTitle) }
    if !figure.x.title.isEmpty, !details.contains(.horizontalTitle) { parts.append(.horizontalTitle) }
    if figure.hasStrip, !details.contains(.strip) { parts.append(.strip) }
    if frame.verticalTicks.isEmpty { parts.append(.verticalNumbers) }
    if horizontalNumbers == 0 || !details.contains(.horizontalTicks) { parts.append(.horizontalNumbers) }
    return parts
  }

  // MARK: Behind the data

  private func spans(on x: PlaceScale, plot: Rect) -> [Element] {
    figure.spans.compactMap { span in
      let left = max(plot.x, x.place(span.from))
      let right = min(plot.right, x.place(span.to))
      guard right >= left else { return nil }
      let rect = Rect(x: left, y: plot.y, width: max(1, right - left), height: plot.height)
      return .shape(Path(rect), fill: .span, stroke: nil)
    }
  }

  private func grid(_ frame: AxesFrame, ticks: [Placed], x: PlaceScale, y: PlaceScale) -> [Element] {
    var path = Path()
    for tick in frame.verticalTicks {
      let place = style.crisp(y.place(tick.value))
      path.move(frame.plot.x, place)
      path.line(frame.plot.right, place)
    }
    if figure.categories == nil, frame.details.contains(.horizontalTicks) {
      for place in ticks.compactMap(\.place) {
        path.move(style.crisp(place), frame.plot.y)
        path.line(style.crisp(place), frame.plot.bottom)
      }
    }
    return [.shape(path, fill: nil, stroke: Stroke(ink: .grid, width: 1))]
  }

  /// A vertical line at each limit of the bands.
  private func bandLimits(on x: PlaceScale, plot: Rect) -> [Element] {
    let limits = Set(figure.bands.flatMap { [$0.from, $0.to] }).filter { $0 >= x.low && $0 <= x.high }.sorted()
    return limits.map { limit in
      let place = style.crisp(x.place(limit))
      let path = Path(line: [Point(x: place, y: plot.y), Point(x: place, y: plot.bottom)])
      return .shape(path, fill: nil, stroke: Stroke(ink: .reference, width: 1, dash: [2, 3]))
    }
  }

  // MARK: Above the data

  private func references(on y: PlaceScale, plot: Rect) -> [Element] {
    figure.references.filter { $0.value.isPlottable }.map { reference in
      let place = style.crisp(y.place(reference.value))
      let path = Path(line: [Point(x: plot.x, y: place), Point(x: plot.right, y: place)])
      return .shape(path, fill: nil, stroke: Stroke(ink: .reference, width: 1.25, dash: [5, 4]))
    }
  }

  private func instants(on x: PlaceScale, plot: Rect) -> [Element] {
    figure.instants.filter { $0.at >= x.low && $0.at <= x.high }.map { instant in
      let place = style.crisp(x.place(instant.at))
      let path = Path(line: [Point(x: place, y: plot.y), Point(x: place, y: plot.bottom)])
      return .shape(path, fill: nil, stroke: Stroke(ink: .instant, width: 1.25))
    }
  }

  private func axis(_ frame: AxesFrame, ticks: [Placed], x: PlaceScale) -> [Element] {
    let plot = frame.plot
    var path = Path()
    let (left, bottom) = (style.crisp(plot.x), style.crisp(plot.bottom))
    path.move(left, plot.y)
    path.line(left, bottom)
    path.line(plot.right, bottom)
    var elements = frame.words.map { Element.text($0) }
    if frame.details.contains(.horizontalTicks) {
      for tick in ticks {
        if style.isCrisp, let place = tick.place {
          path.move(style.crisp(place), bottom)
          path.line(style.crisp(place), bottom + 4)
        }
        elements.append(.text(tick.label))
      }
    }
    return [.shape(path, fill: nil, stroke: Stroke(ink: .axis, width: 1))] + elements
  }

  // MARK: Below the horizontal axis

  private struct Placed {
    /// The tick's position on the axis; `nil` for a name of several positions.
    let place: Double?
    let label: Label
  }

  private func horizontalTicks(on x: PlaceScale, plot: Rect) -> [Placed] {
    let top = plot.bottom + style.tickGap
    func placed(_ ticks: [Tick]) -> [Placed] {
      ticks.map { tick in
        let place = x.place(tick.value)
        let half = setter.width(tick.text) / 2
        // The first and the last label are shifted inwards to avoid clipping.
        let middle = min(max(place, half + 1), max(half + 1, size.width - half - 1))
        return Placed(
          place: place, label: setter.label(tick.text, x: middle, top: top, anchor: .middle, ink: .faintText))
      }
    }
    func fits(_ ticks: [Tick]) -> Bool {
      let boxes = placed(ticks).map { $0.label.box }
      return boxes.allSatisfy { $0.x >= 0 && $0.right <= size.width }
        && zip(boxes, boxes.dropFirst()).allSatisfy { $0.right + style.gap <= $1.x }
    }
    if !figure.groups.isEmpty, let categories = figure.categories {
      return placed(grouped(categories, fits: fits)) + groupNames(on: x, top: top + style.textHeight)
    }
    guard let categories = figure.categories else {
      let limit = 4 + Int(plot.width / (style.tickRoom * (style.isCrisp ? 3.2 : 1.6)))
      return placed(TickSets(scale: figure.x.scale, low: x.low, high: x.high, limit: limit).first(where: fits))
    }
    let names = categories.enumerated().map { Tick(value: Double($0), text: $1.inOneLine) }
    guard !fits(names) else { return placed(names) }
    let room = plot.width / Double(max(1, names.count)) - style.gap
    let short = names.map { Tick(value: $0.value, text: setter.shortened($0.text, to: room)) }
    if names.count <= 12, short.allSatisfy({ $0.text.count >= 4 || names.contains($0) }), fits(short) {
      return placed(short)
    }
    for step in [2, 3, 4, 5, 7, 10, 14, 20, 28, 50, 100, 200, 500, 1000, 10_000, 100_000] where step < names.count {
      let some = stride(from: 0, to: names.count, by: step).map { names[$0] }
      if fits(some) { return placed(some) }
    }
    return []
  }

  // MARK: Groups

  /// The names of the positions in groups: all or none, since the group names are always shown below.
  private func grouped(_ names: [String], fits: ([Tick]) -> Bool) -> [Tick] {
    let ticks = names.enumerated().filter { !$0.element.isEmpty }.map { Tick(value: Double($0), text: $1.inOneLine) }
    return fits(ticks) ? ticks : []
  }

  /// The group names below their positions, each within the width of its group.
  private func groupNames(on x: PlaceScale, top: Double) -> [Placed] {
    figure.groups.compactMap { group in
      let (first, last) = (Double(group.places.lowerBound), Double(group.places.upperBound))
      let room = x.place(last + 0.9) - x.place(first - 0.9) - style.gap / 2
      let text = setter.shortened(group.name.inOneLine, to: room)
      guard !text.isEmpty else { return nil }
      let half = setter.width(text) / 2
      let middle = min(max(x.place((first + last) / 2), half + 1), max(half + 1, size.width - half - 1))
      return Placed(place: nil, label: setter.label(text, x: middle, top: top, anchor: .middle))
    }
  }
}
