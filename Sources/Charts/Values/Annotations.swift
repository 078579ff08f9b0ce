/// The annotations drawn with a chart's data.
package struct Annotations: Hashable, Sendable {
  /// The stimuli: shaded, with onset and offset marked.
  var stimuli: [StimulusMark]
  /// Further shaded spans.
  var spans: [ShadedSpan]
  /// Further marked positions.
  var instants: [MarkedInstant]
  /// Marked values.
  package var references: [ReferenceLine]

  /// Creates annotations, by default none.
  init(
    stimuli: [StimulusMark] = [], spans: [ShadedSpan] = [], instants: [MarkedInstant] = [],
    references: [ReferenceLine] = []
  ) {
    (self.stimuli, self.spans, self.instants, self.references) = (stimuli, spans, instants, references)
  }

  /// All shaded spans.
  var shaded: [ShadedSpan] { stimuli.flatMap(\.spans) + spans }

  /// All positions marked by a vertical line.
  var marked: [MarkedInstant] { stimuli.flatMap(\.instants) + instants }
}

/// A shaded span of the horizontal axis: the stimulus, a step, a frequency band.
struct ShadedSpan: Hashable, Sendable {
  /// The start, in the unit of the horizontal axis.
  let from: Double
  let to: Double
  /// The text above it; may be empty.
  let label: String

  /// Creates a span between two positions, in either order.
  init(from: Double, to: Double, label: String = "") {
    self.from = min(from, to)
    self.to = max(from, to)
    self.label = label
  }
}

/// A position on the horizontal axis marked by a vertical line: an onset, a key press.
struct MarkedInstant: Hashable, Sendable {
  /// The position, in the unit of the horizontal axis.
  let at: Double
  /// The text above it; may be empty.
  let label: String

  init(at: Double, label: String = "") {
    self.at = at
    self.label = label
  }
}

/// A value marked by a horizontal line: a baseline, a limit.
package struct ReferenceLine: Hashable, Sendable {
  /// The value, in the unit of the vertical axis.
  package let value: Double
  /// The text beside it; may be empty.
  let label: String

  /// Creates a marked value.
  package init(value: Double, label: String = "") {
    self.value = value
    self.label = label
  }
}

/// A stimulus on the horizontal axis: shaded from onset to offset, both of which are marked.
struct StimulusMark: Hashable, Sendable {
  /// The instant at which its first frame leaves the sink, in the unit of the horizontal axis.
  let onset: Double
  /// The instant at which its last frame leaves the sink; `nil` if not measured, in which case there is no shading.
  let offset: Double?
  /// The clip's name, or another short description.
  let label: String

  var spans: [ShadedSpan] { offset.map { [ShadedSpan(from: onset, to: $0, label: label)] } ?? [] }

  var instants: [MarkedInstant] {
    [MarkedInstant(at: onset, label: "onset")] + (offset.map { [MarkedInstant(at: $0, label: "offset")] } ?? [])
  }
}

/// The range of values in one interval, from minimum to maximum, as in ResearchKit's `ORKValueRange`.
package struct ValueRange: Hashable, Sendable {
  /// The minimum; NaN if unset.
  let minimum: Double
  /// The maximum; NaN if unset.
  let maximum: Double

  /// Creates the range between two values, in either order; unset if one of them is not finite.
  package init(_ one: Double, _ other: Double) {
    guard one.isPlottable, other.isPlottable else {
      self = .unset
      return
    }
    minimum = min(one, other)
    maximum = max(one, other)
  }

  init(_ value: Double) { self.init(value, value) }

  /// The range without values, for which a chart leaves a gap.
  package static let unset = ValueRange()

  var isUnset: Bool { minimum.isNaN }

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
  let x: Double
  /// The value, in the unit of the vertical axis; NaN or infinite for a gap.
  package let y: Double

  init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }

  var isPlottable: Bool { x.isPlottable && y.isPlottable }
}
