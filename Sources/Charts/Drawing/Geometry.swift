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
