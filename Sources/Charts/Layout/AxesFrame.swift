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
