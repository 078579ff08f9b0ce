/// A value at a place, usually a time.
package struct DataPoint: Hashable, Sendable {
  /// Where: in the unit of the chart's horizontal axis.
  package let x: Double
  /// What: in the unit of its vertical axis; NaN or infinite leaves a gap.
  package let y: Double

  /// A value at a place.
  package init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }

  var isPlottable: Bool { x.isPlottable && y.isPlottable }
}
