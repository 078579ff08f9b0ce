/// The annotations drawn with a chart's data.
package struct Annotations: Hashable, Sendable {
  /// The stimuli: shaded, with onset and offset marked.
  package var stimuli: [StimulusMark]
  /// Further shaded spans.
  package var spans: [ShadedSpan]
  /// Further marked positions.
  package var instants: [MarkedInstant]
  /// Marked values.
  package var references: [ReferenceLine]

  /// Creates annotations, by default none.
  package init(
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
package struct ShadedSpan: Hashable, Sendable {
  /// The start, in the unit of the horizontal axis.
  package let from: Double
  /// The end.
  package let to: Double
  /// The text above it; may be empty.
  package let label: String

  /// Creates a span between two positions, in either order.
  package init(from: Double, to: Double, label: String = "") {
    self.from = min(from, to)
    self.to = max(from, to)
    self.label = label
  }
}

/// A position on the horizontal axis marked by a vertical line: an onset, a key press.
package struct MarkedInstant: Hashable, Sendable {
  /// The position, in the unit of the horizontal axis.
  package let at: Double
  /// The text above it; may be empty.
  package let label: String

  /// Creates a marked position.
  package init(at: Double, label: String = "") {
    self.at = at
    self.label = label
  }
}

/// A value marked by a horizontal line: a baseline, a limit.
package struct ReferenceLine: Hashable, Sendable {
  /// The value, in the unit of the vertical axis.
  package let value: Double
  /// The text beside it; may be empty.
  package let label: String

  /// Creates a marked value.
  package init(value: Double, label: String = "") {
    self.value = value
    self.label = label
  }
}

/// A stimulus on the horizontal axis: shaded from onset to offset, both of which are marked.
package struct StimulusMark: Hashable, Sendable {
  /// The instant at which its first frame leaves the sink, in the unit of the horizontal axis.
  package let onset: Double
  /// The instant at which its last frame leaves the sink; `nil` if not measured, in which case there is no shading.
  package let offset: Double?
  /// The clip's name, or another short description.
  package let label: String

  /// Creates a stimulus mark.
  package init(onset: Double, offset: Double?, label: String) {
    self.onset = onset
    self.offset = offset
    self.label = label
  }

  var spans: [ShadedSpan] { offset.map { [ShadedSpan(from: onset, to: $0, label: label)] } ?? [] }

  var instants: [MarkedInstant] {
    [MarkedInstant(at: onset, label: "onset")] + (offset.map { [MarkedInstant(at: $0, label: "offset")] } ?? [])
  }
}
