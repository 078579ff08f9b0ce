/// Where the values of an axis go on the canvas.
struct PlaceScale: Hashable, Sendable {
  let low: Double
  let high: Double
  /// The place of the lowest value.
  let start: Double
  /// The place of the highest value; above the lowest on a vertical axis.
  let end: Double

  init(_ extent: Extent, from start: Double, to end: Double) {
    (low, high) = (extent.low, extent.high)
    (self.start, self.end) = (start, end)
  }

  /// Values far outside are moved outside of the visible area.
  func place(_ value: Double) -> Double {
    let part = (value - low) / (high - low)
    return start + min(max(part, -100), 100) * (end - start)
  }
}
