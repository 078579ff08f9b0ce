/// The minimum and the maximum of some values.
struct Extent: Hashable, Sendable {
  private(set) var low = Double.infinity
  private(set) var high = -Double.infinity

  var isEmpty: Bool { low > high }

  init() {}

  init(_ range: ClosedRange<Double>) {
    (low, high) = (range.lowerBound, range.upperBound)
  }

  mutating func include(_ value: Double) {
    guard value.isPlottable else { return }
    low = min(low, value)
    high = max(high, value)
  }

  mutating func include(_ range: ValueRange) {
    include(range.minimum)
    include(range.maximum)
  }

  mutating func include(_ other: Extent) {
    include(other.low)
    include(other.high)
  }

  /// An extent wide enough to draw: a single value gets room on both sides.
  var widened: Extent {
    let size = max(low.magnitude, high.magnitude)
    guard size > 1e-290 else { return Extent(-1...1) }
    guard high - low < size * 1e-9 else { return self }
    let room = size * 0.05
    return Extent((low - room)...(high + room))
  }

  /// The extent with this fraction of its length added at both ends.
  func padded(by part: Double) -> Extent {
    let room = (high - low) * part
    return Extent((low - room)...(high + room))
  }
}

extension ClosedRange<Double> {
  /// Whether the range is usable for an axis.
  var isUsable: Bool {
    lowerBound.isPlottable && upperBound.isPlottable
      && upperBound - lowerBound > Swift.max(lowerBound.magnitude, upperBound.magnitude) * 1e-9
      && upperBound - lowerBound > 1e-290
  }
}
