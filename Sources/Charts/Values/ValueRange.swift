/// The values that one interval spans, as ResearchKit's `ORKValueRange`: from its lowest to its highest.
public struct ValueRange: Hashable, Sendable {
  /// The lowest value; NaN where there is none.
  public let minimum: Double
  /// The highest value; NaN where there is none.
  public let maximum: Double

  /// The range between two values, in either order; one that is not finite makes the range unset.
  public init(_ one: Double, _ other: Double) {
    guard one.isPlottable, other.isPlottable else {
      self = .unset
      return
    }
    minimum = min(one, other)
    maximum = max(one, other)
  }

  /// The range that holds a single value.
  public init(_ value: Double) { self.init(value, value) }

  /// No value was measured: the chart leaves a gap.
  public static let unset = ValueRange()

  /// Whether no value was measured.
  public var isUnset: Bool { minimum.isNaN }

  private init() { (minimum, maximum) = (.nan, .nan) }

  /// Whether both have the same values, or both are unset.
  public static func == (left: ValueRange, right: ValueRange) -> Bool {
    (left.isUnset && right.isUnset) || (left.minimum == right.minimum && left.maximum == right.maximum)
  }

  /// Hashes what ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) {
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
