/// Draws the layers between two axes, and remembers where, so that words can keep off.
struct LayerPainter {
  let plot: Rect
  let horizontal: PlaceScale
  let vertical: PlaceScale
  let style: Style
  private(set) var elements: [Element] = []
  /// Places that lines and marks go through.
  private(set) var occupied: [Point] = []
  /// Surfaces that words would not be readable on.
  private(set) var blocks: [Rect] = []

  init(plot: Rect, horizontal: PlaceScale, vertical: PlaceScale, style: Style) {
    (self.plot, self.horizontal, self.vertical, self.style) = (plot, horizontal, vertical, style)
  }

  mutating func paint(_ layer: Layer) {
    switch layer {
    case .line(let points, let series, let gap, let marks):
      paintLine(points, series: series, gap: gap, marks: marks)
    case .marks(let points, let series, let opacity):
      paintMarks(points, series: series, ink: opacity < 1 ? .translucent(series) : .series(series))
    case .ranges(let ranges, let series, let lane, let lanes, let isConnected):
      paintRanges(ranges, series: series, lane: lane, lanes: lanes, isConnected: isConnected)
    case .band(let points, let series): paintBand(points, series: series)
    case .outline(let points, let ink, let dash, let isGuide):
      let path = Path(line: points.filter { $0.isPlottable }.map(place))
      // Over a cloud of marks a line is seen by its margin in the colour of the ground.
      if !isGuide, style.isCrisp {
        elements.append(.shape(path, fill: nil, stroke: Stroke(ink: .ground, width: style.lineWidth + 2)))
      }
      elements.append(.shape(path, fill: nil, stroke: Stroke(ink: ink, width: style.lineWidth, dash: dash)))
    }
  }

  private func place(_ point: DataPoint) -> Point {
    Point(x: horizontal.place(point.x), y: vertical.place(point.y))
  }

  /// The points that are seen, in order, and one on either side for the lines that lead there.
  private func visible(_ points: [DataPoint]) -> ArraySlice<DataPoint> {
    var points = points.filter { $0.x.isPlottable }
    if zip(points, points.dropFirst()).contains(where: { $0.x > $1.x }) { points.sort { $0.x < $1.x } }
    let first = points.firstIndex { $0.x >= horizontal.low } ?? points.count
    let last = points.lastIndex { $0.x <= horizontal.high } ?? -1
    return points[max(0, first - 1)..<max(max(0, first - 1), min(points.count, last + 2))]
  }

  private mutating func paintLine(_ points: [DataPoint], series: Int, gap: Double?, marks: LineMarks) {
    let points = visible(points)
    let parts = Decimation.parts(of: Array(points), gap: gap, on: horizontal)
    let drawn = parts.reduce(0) { $0 + $1.count }
    let isDense = Double(drawn) > plot.width / 6
    var path = Path()
    for part in parts {
      let places = part.map(place)
      path.commands += Path(line: places).commands
      remember(places)
    }
    let width = isDense ? style.lineWidth * 0.75 : style.lineWidth
    if marks == .outlined {
      elements.append(.shape(path, fill: nil, stroke: Stroke(ink: .ground, width: width + 2.5)))
    }
    let dash = isDense ? [] : Dashes.of(series: series)
    elements.append(.shape(path, fill: nil, stroke: Stroke(ink: .series(series), width: width, dash: dash)))
    guard marks != .none, style.markRadius > 0 else { return }
    let room = style.markRadius * 3.5
    if Double(drawn) < plot.width / room {
      paintMarks(parts.flatMap { $0 }, series: series, ink: .series(series), isOutlined: marks == .outlined)
    } else if marks != .ifRoom {
      paintMarks(spread(parts, series: series), series: series, ink: .series(series), isOutlined: false)
    }
  }

  /// Some of a line's points, far from each other and, for every series, elsewhere.
  private func spread(_ parts: [[DataPoint]], series: Int) -> [DataPoint] {
    let distance = style.markRadius * 12
    var next = plot.x + distance * (0.3 + 0.29 * Double(series % 3))
    return parts.joined().filter { point in
      let place = horizontal.place(point.x)
      guard place >= next else { return false }
      next = place + distance
      return true
    }
  }

  private mutating func paintMarks(_ points: [DataPoint], series: Int, ink: Ink, isOutlined: Bool = false) {
    // Marks that would lie upon each other almost exactly are drawn once.
    var taken: Set<Point> = []
    var path = Path()
    // Many marks become dots, of which a square of two points shows one.
    let areDots = points.count > 600 || style.markRadius == 0
    let radius = areDots ? style.markRadius * 0.4 : style.markRadius
    let grid = areDots && style.markRadius > 0 ? 2 : 0.5
    for point in points where point.isPlottable {
      let centre = place(point)
      let cell = Point(x: (centre.x / grid).rounded(), y: (centre.y / grid).rounded())
      guard plot.expanded(by: radius).contains(centre), taken.insert(cell).inserted else { continue }
      if areDots {
        path.commands += Path(line: [centre]).commands
      } else {
        Mark.of(series: series).add(to: &path, at: centre, radius: radius)
      }
      occupied.append(centre)
    }
    if areDots {
      let dots = Stroke(ink: .series(series), width: max(1, 2 * radius))
      elements.append(.shape(path, fill: nil, stroke: dots))
    } else {
      if isOutlined { elements.append(.shape(path, fill: nil, stroke: Stroke(ink: .ground, width: 2.5))) }
      elements.append(.shape(path, fill: ink, stroke: nil))
    }
  }

  private mutating func paintRanges(_ ranges: [RangeAt], series: Int, lane: Int, lanes: Int, isConnected: Bool) {
    let seen = ranges.filter { !$0.range.isUnset && $0.x >= horizontal.low && $0.x <= horizontal.high }
    let slot = (horizontal.place(horizontal.low + 1) - horizontal.start).magnitude
    let width = max(1, min(style.markRadius * 4, slot * 0.7 / Double(lanes)))
    var (bars, dots) = (Path(), Path())
    for item in Decimation.columns(of: seen, on: horizontal) {
      let x = horizontal.place(item.x) + (Double(lane) - Double(lanes - 1) / 2) * (width + min(3, width / 3))
      let top = vertical.place(item.range.maximum)
      let bottom = vertical.place(item.range.minimum)
      let bar = Rect(x: x - width / 2, y: top, width: width, height: bottom - top)
      if isConnected { blocks.append(bar.expanded(by: 1)) }
      occupied += [Point(x: x, y: top), Point(x: x, y: bottom)]
      let mark = Mark.of(series: series)
      if style.markRadius == 0 {
        bars.commands +=
          Path(line: isConnected ? [Point(x: x, y: top), Point(x: x, y: bottom)] : [Point(x: x, y: top)]).commands
        bars.commands += Path(line: [Point(x: x, y: bottom)]).commands
      } else if item.range.isEmptyRange || !isConnected {
        let radius = max(0.75, min(style.markRadius, width / 2))
        for y in item.range.isEmptyRange ? [top] : [top, bottom] {
          mark.add(to: &dots, at: Point(x: x, y: y), radius: radius)
        }
      } else {
        bars.addRounded(bar, radius: min(3, width / 2))
      }
    }
    let thin = style.markRadius == 0
    elements.append(
      .shape(bars, fill: thin ? nil : .series(series), stroke: thin ? Stroke(ink: .series(series), width: 1) : nil))
    elements.append(.shape(dots, fill: .series(series), stroke: nil))
  }

  private mutating func paintBand(_ points: [BandPoint], series: Int) {
    var path = Path()
    let seen = points.filter { $0.x.isPlottable }
    for part in seen.split(whereSeparator: { $0.range.isUnset }) {
      let columns = Decimation.columns(of: part.map { RangeAt(x: $0.x, range: $0.range) }, on: horizontal)
      let upper = columns.map { Point(x: horizontal.place($0.x), y: vertical.place($0.range.maximum)) }
      let lower = columns.map { Point(x: horizontal.place($0.x), y: vertical.place($0.range.minimum)) }
      path.commands += Path(line: upper + lower.reversed()).commands
      path.close()
    }
    elements.append(.shape(path, fill: .surface(series), stroke: nil))
  }

  /// Remembers a line by places that are no further apart than the words are high.
  private mutating func remember(_ places: [Point]) {
    occupied += places
    for (one, other) in zip(places, places.dropFirst()) {
      let length = max((other.x - one.x).magnitude, (other.y - one.y).magnitude)
      let count = min(200, Int(length / (style.textHeight / 2)))
      for index in 1..<max(1, count) {
        let part = Double(index) / Double(count)
        occupied.append(Point(x: one.x + (other.x - one.x) * part, y: one.y + (other.y - one.y) * part))
      }
    }
  }
}

extension Path {
  /// Adds a rectangle with round corners.
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
