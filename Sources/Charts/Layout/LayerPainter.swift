/// Draws the layers of a plot, and records the areas that labels should avoid.
struct LayerPainter {
  let plot: Rect
  let horizontal: PlaceScale
  let vertical: PlaceScale
  let style: Style
  /// Whether lines are dashed by series; in dense lines dashes would look like gaps.
  let isDashed: Bool
  private(set) var elements: [Element] = []
  /// The areas of lines and marks.
  private(set) var occupied: [Rect] = []
  /// Areas in which labels would not be readable.
  private(set) var blocks: [Rect] = []
  /// Areas in which labels would be readable, but which they should avoid.
  private(set) var bands: [Rect] = []
  /// The letters that identify lines in a terminal.
  private(set) var glyphs: [Label] = []

  init(plot: Rect, horizontal: PlaceScale, vertical: PlaceScale, style: Style, isDashed: Bool) {
    (self.plot, self.horizontal, self.vertical, self.style) = (plot, horizontal, vertical, style)
    self.isDashed = isDashed
  }

  mutating func paint(_ layer: Layer) {
    switch layer {
    case .line(let points, let series, let marks): paintLine(points, series: series, marks: marks)
    case .marks(let points, let series, let isTranslucent):
      paintMarks(points, series: series, ink: isTranslucent ? .translucent(series) : .series(series))
      if !isTranslucent { addGlyphs(LineMarks.dotGlyph, at: points, series: series) }
    case .ranges(let ranges, let series, let lane, let lanes, let room, let isConnected):
      let slot = (horizontal.place(horizontal.low + room) - horizontal.start).magnitude
      paintRanges(ranges, series: series, lane: (lane, lanes), slot: slot, isConnected: isConnected)
    case .band(let points, let series): paintBand(points, series: series)
    case .outline(let points, let ink, let dash, let isGuide):
      let path = Path(line: points.filter { $0.isPlottable }.map(place))
      // A margin in the background colour makes the line visible over a cloud of marks.
      var shapes: [Element] = []
      if !isGuide, style.isCrisp {
        shapes.append(.shape(path, fill: nil, stroke: Stroke(ink: .ground, width: style.lineWidth + 2)))
      }
      add(shapes + [.shape(path, fill: nil, stroke: Stroke(ink: ink, width: style.lineWidth, dash: dash))])
    }
  }

  /// Adds shapes clipped to the plot; marks may extend beyond its edge.
  private mutating func add(_ shapes: [Element], areMarks: Bool = false) {
    let margin = areMarks ? style.markRadius * 1.5 : style.isCrisp ? 1 : 0
    elements.append(.clipped(plot.expanded(by: margin), shapes))
  }

  private func place(_ point: DataPoint) -> Point {
    Point(x: horizontal.place(point.x), y: vertical.place(point.y))
  }

  // MARK: Lines

  /// The visible points in order, and one more on either side for the lines that cross the edge.
  private func visible(_ points: [DataPoint]) -> ArraySlice<DataPoint> {
    var points = points.filter { $0.x.isPlottable }
    if zip(points, points.dropFirst()).contains(where: { $0.x > $1.x }) { points.sort { $0.x < $1.x } }
    let first = points.firstIndex { $0.x >= horizontal.low } ?? points.count
    let last = points.lastIndex { $0.x <= horizontal.high } ?? -1
    return points[max(0, first - 1)..<max(max(0, first - 1), min(points.count, last + 2))]
  }

  private mutating func paintLine(_ points: [DataPoint], series: Int, marks: LineMarks) {
    let points = visible(points)
    let parts = Decimation.parts(of: Array(points), on: horizontal)
    let drawn = parts.reduce(0) { $0 + $1.count }
    var path = Path()
    for part in parts {
      let places = part.map(place)
      path.commands += Path(line: places).commands
      remember(places)
    }
    let width = style.width(ofLineWith: drawn, across: plot.width)
    var shapes: [Element] = []
    if marks == .outlined {
      shapes.append(.shape(path, fill: nil, stroke: Stroke(ink: .ground, width: width + 2.5)))
    }
    let dash = isDashed ? Dashes.of(series: series) : []
    add(shapes + [.shape(path, fill: nil, stroke: Stroke(ink: .series(series), width: width, dash: dash))])
    if let glyph = marks.glyph(series: series) {
      addGlyphs(glyph, at: marks == .outlined ? parts.flatMap(\.self) : spread(parts, series: series), series: series)
    }
    guard marks != .none, style.markRadius > 0 else { return }
    let room = style.markRadius * 3.5
    if Double(drawn) < plot.width / room {
      paintMarks(parts.flatMap { $0 }, series: series, ink: .series(series), isOutlined: marks == .outlined)
    } else if marks != .ifRoom {
      paintMarks(spread(parts, series: series), series: series, ink: .series(series), isOutlined: false)
    }
  }

  /// Some widely spaced points of a line, offset by series; in a terminal also the last one.
  private func spread(_ parts: [[DataPoint]], series: Int) -> [DataPoint] {
    let distance = style.markDistance
    var next = plot.x + distance * (0.3 + 0.29 * Double(series % 3))
    let points = parts.joined()
    let some = points.filter { point in
      let place = horizontal.place(point.x)
      guard place >= next else { return false }
      next = place + distance
      return true
    }
    let seen = points.last { $0.x <= horizontal.high && $0.x >= horizontal.low }
    return style.markRadius > 0 ? some : (seen.map { [$0] } ?? []) + some
  }

  /// Puts a letter over points in a terminal, one per cell.
  private mutating func addGlyphs(_ glyph: Character, at points: [DataPoint], series: Int) {
    guard style.markRadius == 0 else { return }
    for point in points where point.isPlottable {
      let centre = place(point)
      guard plot.contains(centre) else { continue }
      let (column, row) = ((centre.x / 2).rounded(.down), (centre.y / 4).rounded(.down))
      let label = style.glyph(glyph, column: column, row: row, ink: .series(series))
      guard plot.contains(label.box), !glyphs.contains(where: { $0.box.overlaps(label.box) }) else { continue }
      glyphs.append(label)
      blocks.append(label.box)
    }
  }

  // MARK: Marks

  private mutating func paintMarks(_ points: [DataPoint], series: Int, ink: Ink, isOutlined: Bool = false) {
    // Marks at almost the same position are drawn once.
    var taken: Set<Point> = []
    var path = Path()
    // Many marks become dots, of which one is drawn in each square of two points.
    let areDots = points.count > 600 || style.markRadius == 0
    let radius = areDots ? style.markRadius * 0.4 : style.markRadius
    let grid = areDots && style.markRadius > 0 ? 2 : 0.5
    for point in points where point.isPlottable {
      let centre = place(point)
      let cell = Point(x: (centre.x / grid).rounded(), y: (centre.y / grid).rounded())
      guard plot.expanded(by: 1e-6).contains(centre), taken.insert(cell).inserted else { continue }
      if areDots {
        path.commands += Path(line: [centre]).commands
      } else {
        Mark.of(series: series).add(to: &path, at: centre, radius: radius)
      }
      occupied.append(Rect(around: centre, by: radius * Mark.reach))
    }
    if areDots {
      let dots = Stroke(ink: .series(series), width: max(1, 2 * radius))
      add([.shape(path, fill: nil, stroke: dots)], areMarks: true)
    } else {
      let margin: [Element] = isOutlined ? [.shape(path, fill: nil, stroke: Stroke(ink: .ground, width: 2.5))] : []
      add(margin + [.shape(path, fill: ink, stroke: nil)], areMarks: true)
    }
  }

  // MARK: Ranges and bands

  private mutating func paintRanges(
    _ ranges: [RangeAt], series: Int, lane: (place: Int, count: Int), slot: Double, isConnected: Bool
  ) {
    let seen = ranges.filter { !$0.range.isUnset && $0.x >= horizontal.low && $0.x <= horizontal.high }
    let width = max(1, min(style.markRadius * 4, slot * 0.7 / Double(lane.count)))
    let isTerminal = style.markRadius == 0
    let radius = max(0.75, min(style.markRadius, width / 2))
    var (bars, dots) = (Path(), Path())
    for item in Decimation.columns(of: seen, on: horizontal) {
      let x = horizontal.place(item.x) + (Double(lane.place) - Double(lane.count - 1) / 2) * (width + min(3, width / 3))
      let top = vertical.place(item.range.maximum)
      let bottom = vertical.place(item.range.minimum)
      let bar = Rect(x: x - width / 2, y: top, width: width, height: bottom - top)
      let ends = [Point(x: x, y: top), Point(x: x, y: bottom)]
      if isConnected { blocks.append(bar.expanded(by: 1)) }
      occupied += ends.map { Rect(around: $0, by: radius) }
      if isTerminal {
        for part in isConnected ? [ends] : ends.map({ [$0] }) { bars.commands += Path(line: part).commands }
      } else if !isConnected {
        // Two coinciding marks are drawn once.
        for end in bar.height < 0.5 ? [ends[0]] : ends {
          Mark.of(series: series).add(to: &dots, at: end, radius: radius)
        }
      } else if bar.height < 2 * radius {
        // A bar lower than a mark would be invisible, and the data would look like a gap.
        Mark.of(series: series).add(to: &dots, at: Point(x: x, y: (top + bottom) / 2), radius: radius)
      } else {
        bars.addRounded(bar, radius: min(3, width / 2))
      }
    }
    add([
      .shape(
        bars, fill: isTerminal ? nil : .series(series),
        stroke: isTerminal ? Stroke(ink: .series(series), width: 1) : nil)
    ])
    if !isTerminal { add([.shape(dots, fill: .series(series), stroke: nil)], areMarks: true) }
  }

  private mutating func paintBand(_ points: [RangeAt], series: Int) {
    var path = Path()
    let seen = points.filter { $0.x.isPlottable }
    for part in seen.split(whereSeparator: { $0.range.isUnset }) {
      let columns = Decimation.columns(of: Array(part), on: horizontal)
      let upper = columns.map { Point(x: horizontal.place($0.x), y: vertical.place($0.range.maximum)) }
      let lower = columns.map { Point(x: horizontal.place($0.x), y: vertical.place($0.range.minimum)) }
      path.commands += Path(line: upper + lower.reversed()).commands
      path.close()
      for (index, (one, other)) in zip(upper, upper.dropFirst()).enumerated() {
        let top = min(one.y, other.y)
        bands.append(
          Rect(x: one.x, y: top, width: other.x - one.x, height: max(lower[index].y, lower[index + 1].y) - top))
      }
    }
    add([.shape(path, fill: .surface(series), stroke: nil)])
  }

  /// Records a line as areas spaced no further apart than the height of a label.
  private mutating func remember(_ places: [Point]) {
    func keep(_ point: Point) { occupied.append(Rect(around: point, by: 0)) }
    places.forEach(keep)
    for (one, other) in zip(places, places.dropFirst()) {
      let length = max((other.x - one.x).magnitude, (other.y - one.y).magnitude)
      let count = min(200, Int(length / (style.textHeight / 2)))
      for index in 1..<max(1, count) {
        let part = Double(index) / Double(count)
        keep(Point(x: one.x + (other.x - one.x) * part, y: one.y + (other.y - one.y) * part))
      }
    }
  }
}

extension Path {
  /// Adds a rectangle with rounded corners.
  mutating func addRounded(_ rect: Rect, radius: Double) {
    let radius = min(radius, rect.width / 2, rect.height / 2)
    guard radius > 0.25 else {
      commands += Path(rect).commands
      return
    }
    let corners = [
      (rect.right - radius, rect.bottom - radius), (rect.x + radius, rect.bottom - radius),
      (rect.x + radius, rect.y + radius), (rect.right - radius, rect.y + radius),
    ]
    move(rect.right, rect.bottom - radius)
    for (index, corner) in corners.enumerated() {
      let from = Double(index) * .pi / 2
      commands.append(
        .arc(center: Point(x: corner.0, y: corner.1), radius: radius, from: from, to: from + .pi / 2))
    }
    close()
  }
}
