/// A value at a place, usually a time.
public struct DataPoint: Hashable, Sendable {
  /// Where: in the unit of the chart's horizontal axis.
  public let x: Double
  /// What: in the unit of its vertical axis; NaN or infinite leaves a gap.
  public let y: Double

  /// A value at a place.
  public init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }

  var isPlottable: Bool { x.isPlottable && y.isPlottable }
}
