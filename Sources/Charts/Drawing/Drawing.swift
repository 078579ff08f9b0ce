import Glibc

/// A chart after layout: positioned shapes and labels, which all outputs render alike.
struct Drawing: Sendable {
  let size: CanvasSize
  /// How many times as large the picture is as its layout.
  var magnification = 1.0
  let title: String
  let summary: String
  var elements: [Element] = []
  /// What there is no room for.
  var partsLeftOut: [ChartPart] = []

  /// All labels of the drawing, including those in clipped groups.
  var labels: [Label] {
    func labels(of elements: [Element]) -> [Label] {
      elements.flatMap { element -> [Label] in
        switch element {
        case .text(let label): [label]
        case .clipped(_, let inner): labels(of: inner)
        case .shape: []
        }
      }
    }
    return labels(of: elements)
  }
}

/// An element of a drawing.
enum Element: Sendable {
  case shape(Path, fill: Ink?, stroke: Stroke?)
  case text(Label)
  /// Elements of which only the part inside the rectangle is visible.
  case clipped(Rect, [Element])
}

/// The style of a line; its ends and corners are round.
struct Stroke: Hashable, Sendable {
  var ink: Ink
  var width: Double
  /// Lengths of dashes and gaps in turn; empty for a solid line.
  var dash: [Double] = []
}

/// A sequence of lines and arcs.
struct Path: Hashable, Sendable {
  enum Command: Hashable, Sendable {
    case move(Point)
    case line(Point)
    /// An arc, clockwise on the canvas from one angle to a greater one, in radians from the x direction; a straight
    /// line joins it to the current point.
    case arc(center: Point, radius: Double, from: Double, to: Double)
    case close
  }

  var commands: [Command] = []

  mutating func move(_ x: Double, _ y: Double) { commands.append(.move(Point(x: x, y: y))) }
  mutating func line(_ x: Double, _ y: Double) { commands.append(.line(Point(x: x, y: y))) }
  mutating func close() { commands.append(.close) }

  init() {}

  init(line points: [Point]) {
    for point in points { commands.append(commands.isEmpty ? .move(point) : .line(point)) }
    // A zero-length line is visible as a dot, because its ends are round.
    if points.count == 1, let point = points.first { commands.append(.line(point)) }
  }

  init(_ rect: Rect) {
    move(rect.x, rect.y)
    line(rect.right, rect.y)
    line(rect.right, rect.bottom)
    line(rect.x, rect.bottom)
    close()
  }
}

/// A single line of text on the canvas.
struct Label: Hashable, Sendable {
  enum Anchor: Sendable { case start, middle, end }

  let text: String
  /// The anchor: the text's start, middle or end, on its baseline.
  let at: Point
  let anchor: Anchor
  let font: Font
  let ink: Ink
  /// Whether the letters have a halo in the background colour, for readability over lines.
  var hasHalo = false
  /// The bounding box of the text.
  let box: Rect
}

/// The size and weight of text.
struct Font: Hashable, Sendable {
  var size: Double
  var isBold = false
}

/// A part of a chart that a picture may have no room for.
package enum ChartPart: String, Sendable {
  case subtitle = "the subtitle"
  case horizontalTitle = "the title of the horizontal axis"
  case strip = "the labels over the data"
  case title = "the title"
  case verticalTitle = "the title of the vertical axis"
  case legend = "the legend"
  case horizontalNumbers = "the numbers of the horizontal axis"
  case verticalNumbers = "the numbers of the vertical axis"
  case labels = "the labels of the slices"
}

/// Mark shapes, by which series are distinguishable without colour.
enum Mark: Int, CaseIterable, Sendable {
  case circle, square, triangle, diamond, cross

  static func of(series: Int) -> Mark { allCases[series % allCases.count] }

  /// The maximum extent of a shape from its centre, as a multiple of its radius.
  static let reach = 1.35

  /// Adds the shape to a path; all shapes have about the same area.
  func add(to path: inout Path, at centre: Point, radius: Double) {
    switch self {
    case .circle:
      path.move(centre.x + radius, centre.y)
      path.commands.append(.arc(center: centre, radius: radius, from: 0, to: 2 * .pi))
      path.close()
    case .square: add(corners: [45, 135, 225, 315], 1.25 * radius, to: &path, at: centre)
    case .triangle: add(corners: [30, 150, 270], 1.35 * radius, to: &path, at: centre)
    case .diamond: add(corners: [0, 90, 180, 270], 1.35 * radius, to: &path, at: centre)
    case .cross:
      let (arm, half) = (1.15 * radius, 0.4 * radius)
      let outline = [
        (half, arm), (half, half), (arm, half), (arm, -half), (half, -half), (half, -arm), (-half, -arm),
        (-half, -half),
        (-arm, -half), (-arm, half), (-half, half), (-half, arm),
      ]
      for (index, corner) in outline.enumerated() {
        let place = Point(x: centre.x + corner.0, y: centre.y + corner.1)
        path.commands.append(index == 0 ? .move(place) : .line(place))
      }
      path.close()
    }
  }

  private func add(corners degrees: [Double], _ radius: Double, to path: inout Path, at centre: Point) {
    for (index, degree) in degrees.enumerated() {
      let angle = degree * .pi / 180
      let corner = Point(x: centre.x + radius * cos(angle), y: centre.y + radius * sin(angle))
      path.commands.append(index == 0 ? .move(corner) : .line(corner))
    }
    path.close()
  }
}

/// Dash patterns, by which lines are distinguishable without colour.
enum Dashes {
  static func of(series: Int) -> [Double] { patterns[series % patterns.count] }

  private static let patterns: [[Double]] = [[], [7, 4], [1.5, 3.5], [9, 3.5, 1.5, 3.5], [4, 3], [12, 4]]
}

/// A position on the canvas, in points of 1/96 inch from the upper left corner.
struct Point: Hashable, Sendable {
  var x: Double
  var y: Double
}

/// A rectangle on the canvas.
struct Rect: Hashable, Sendable {
  var x: Double
  var y: Double
  var width: Double
  var height: Double

  init(x: Double, y: Double, width: Double, height: Double) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// A square around a point, with half its side as the reach; a reach of zero gives an empty rectangle.
  init(around point: Point, by reach: Double) {
    self.init(x: point.x - reach, y: point.y - reach, width: 2 * reach, height: 2 * reach)
  }

  var right: Double { x + width }
  var bottom: Double { y + height }

  /// Whether the rectangles share an area.
  func overlaps(_ other: Rect) -> Bool {
    let slack = 1e-6
    return x + slack < other.right && other.x + slack < right && y + slack < other.bottom && other.y + slack < bottom
  }

  /// Whether the rectangles share at least a point.
  func touches(_ other: Rect) -> Bool {
    x <= other.right && other.x <= right && y <= other.bottom && other.y <= bottom
  }

  func contains(_ other: Rect) -> Bool {
    let slack = 1e-6
    return other.x >= x - slack && other.right <= right + slack && other.y >= y - slack
      && other.bottom <= bottom + slack
  }

  func contains(_ point: Point) -> Bool { point.x >= x && point.x <= right && point.y >= y && point.y <= bottom }

  func expanded(by margin: Double) -> Rect {
    Rect(x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin)
  }
}

/// The size of a picture, in points of 1/96 inch (CSS pixels).
package struct CanvasSize: Hashable, Sendable {
  /// The width in points.
  package let width: Double
  /// The height in points.
  package let height: Double

  /// Creates a size, clamping both sides to 40 … 20,000.
  package init(width: Double, height: Double) {
    self.width = width.isNaN ? 40 : min(max(width, 40), 20_000)
    self.height = height.isNaN ? 40 : min(max(height, 40), 20_000)
  }

  /// The size without a strip of some height, at least one point high.
  func less(height strip: Double) -> CanvasSize { CanvasSize(unclamped: (width, max(1, height - strip))) }

  private init(unclamped sides: (Double, Double)) { (width, height) = sides }

  /// A size in braille dots, for a number of terminal cells.
  init(columns: Int, rows: Int) { (width, height) = (Double(columns * 2), Double(rows * 4)) }
}
