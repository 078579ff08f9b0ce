/// The range of values in one interval, from minimum to maximum, as in ResearchKit's `ORKValueRange`.
package struct ValueRange: Hashable, Sendable {
  /// The minimum; NaN if unset.
  package let minimum: Double
  /// The maximum; NaN if unset.
  package let maximum: Double

  /// Creates the range between two values, in either order; unset if one of them is not finite.
  package init(_ one: Double, _ other: Double) {
    guard one.isPlottable, other.isPlottable else {
      self = .unset
      return
    }
    minimum = min(one, other)
    maximum = max(one, other)
  }

  /// Creates the range of a single value.
  package init(_ value: Double) { self.init(value, value) }

  /// The range without values, for which a chart leaves a gap.
  package static let unset = ValueRange()

  /// Whether the range is unset.
  package var isUnset: Bool { minimum.isNaN }

  private init() { (minimum, maximum) = (.nan, .nan) }

  /// Whether both have the same limits, or both are unset.
  package static func == (left: ValueRange, right: ValueRange) -> Bool {
    (left.isUnset && right.isUnset) || (left.minimum == right.minimum && left.maximum == right.maximum)
  }

  /// Hashes the properties that ``==(_:_:)`` compares.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(isUnset)
    if !isUnset {
      hasher.combine(minimum)
      hasher.combine(maximum)
    }
  }
}

extension Double {
  /// Whether a chart can show the value: finite, and far enough from overflow that differences stay finite.
  var isPlottable: Bool { magnitude <= 1e290 }
}

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
