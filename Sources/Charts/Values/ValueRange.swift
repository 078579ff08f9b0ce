/// The values that one interval spans, as ResearchKit's `ORKValueRange`: from its lowest to its highest.
package struct ValueRange: Hashable, Sendable {
  /// The lowest value; NaN where there is none.
  package let minimum: Double
  /// The highest value; NaN where there is none.
  package let maximum: Double

  /// The range between two values, in either order; one that is not finite makes the range unset.
  package init(_ one: Double, _ other: Double) {
    guard one.isPlottable, other.isPlottable else {
      self = .unset
      return
    }
    minimum = min(one, other)
    maximum = max(one, other)
  }

  /// The range that holds a single value.
  package init(_ value: Double) { self.init(value, value) }

  /// No value was measured: the chart leaves a gap.
  package static let unset = ValueRange()

  /// Whether no value was measured.
  package var isUnset: Bool { minimum.isNaN }

  private init() { (minimum, maximum) = (.nan, .nan) }

  /// Whether both have the same values, or both are unset.
  package static func == (left: ValueRange, right: ValueRange) -> Bool {
    (left.isUnset && right.isUnset) || (left.minimum == right.minimum && left.maximum == right.maximum)
  }

  /// Hashes what ``==(_:_:)`` compares.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(isUnset)
    if !isUnset {
      hasher.combine(minimum)
      hasher.combine(maximum)
    }
  }
}

extension Double {
  /// Whether a chart can show it: finite, and far enough from the largest number that differences stay finite.
  var isPlottable: Bool { magnitude <= 1e290 }
}
