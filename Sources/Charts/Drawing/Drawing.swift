/// A chart that has been laid out: shapes and words at places, which every output only repeats.
struct Drawing: Sendable {
  let size: CanvasSize
  let title: String
  let summary: String
  var elements: [Element] = []

  /// Every word of the drawing, also those inside of clipped groups.
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

/// A part of a drawing.
enum Element: Sendable {
  case shape(Path, fill: Ink?, stroke: Stroke?)
  case text(Label)
  /// Only what lies inside of the rectangle is seen.
  case clipped(Rect, [Element])
}

/// How a line is drawn; its ends and corners are round.
struct Stroke: Hashable, Sendable {
  var ink: Ink
  var width: Double
  /// Lengths of strokes and gaps in turn; empty for an unbroken line.
  var dash: [Double] = []
}

/// Lines and arcs, one after the other.
struct Path: Hashable, Sendable {
  enum Command: Hashable, Sendable {
    case move(Point)
    case line(Point)
    /// Clockwise on the canvas from one angle to a greater one, both from the direction of x, in radians; a straight line
    /// joins it to where the path has come to.
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
    // A line of one point is seen by its round ends.
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

/// Words on the canvas, in one line.
struct Label: Hashable, Sendable {
  enum Anchor: Sendable { case start, middle, end }

  let text: String
  /// Where the words begin, have their middle or end, and the line on which the letters stand.
  let at: Point
  let anchor: Anchor
  let font: Font
  let ink: Ink
  /// Whether the ground shines around the letters, so that they are readable over lines.
  var hasHalo = false
  /// What the words cover.
  let box: Rect
}
