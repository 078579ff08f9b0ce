/// The mapping of an axis's values to the canvas.
struct PlaceScale: Hashable, Sendable {
  let low: Double
  let high: Double
  /// The canvas position of the lowest value.
  let start: Double
  /// The canvas position of the highest value; above that of the lowest on a vertical axis.
  let end: Double

  init(_ extent: Extent, from start: Double, to end: Double) {
    (low, high) = (extent.low, extent.high)
    (self.start, self.end) = (start, end)
  }

  /// Values far off the axis are clamped to positions outside the visible area.
  func place(_ value: Double) -> Double {
    let part = (value - low) / (high - low)
    return start + min(max(part, -100), 100) * (end - start)
  }
}
