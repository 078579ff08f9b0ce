/// A value at a position, usually a time.
package struct DataPoint: Hashable, Sendable {
  /// The position, in the unit of the horizontal axis.
  package let x: Double
  /// The value, in the unit of the vertical axis; NaN or infinite for a gap.
  package let y: Double

  /// Creates a data point.
  package init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }

  var isPlottable: Bool { x.isPlottable && y.isPlottable }
}
