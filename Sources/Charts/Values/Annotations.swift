/// What is marked between a chart's axes besides its data.
package struct Annotations: Hashable, Sendable {
  /// What sounded meanwhile: shaded, with onset and offset marked.
  package var stimuli: [StimulusMark]
  /// Other stretches to shade.
  package var spans: [ShadedSpan]
  /// Other places to mark.
  package var instants: [MarkedInstant]
  /// Values to mark.
  package var references: [ReferenceLine]

  /// What is marked; nothing unless it is said.
  package init(
    stimuli: [StimulusMark] = [], spans: [ShadedSpan] = [], instants: [MarkedInstant] = [],
    references: [ReferenceLine] = []
  ) {
    (self.stimuli, self.spans, self.instants, self.references) = (stimuli, spans, instants, references)
  }

  /// Everything that is shaded.
  var shaded: [ShadedSpan] { stimuli.flatMap(\.spans) + spans }

  /// Everything that is marked by a vertical line.
  var marked: [MarkedInstant] { stimuli.flatMap(\.instants) + instants }
}

/// A stretch of the horizontal axis that is shaded: the stimulus, a step, a frequency band.
package struct ShadedSpan: Hashable, Sendable {
  /// Where it begins, in the unit of the horizontal axis.
  package let from: Double
  /// Where it ends.
  package let to: Double
  /// What is written above it; may be empty.
  package let label: String

  /// A stretch between two places, in either order.
  package init(from: Double, to: Double, label: String = "") {
    self.from = min(from, to)
    self.to = max(from, to)
    self.label = label
  }
}

/// A place on the horizontal axis that is marked by a vertical line: an onset, a key.
package struct MarkedInstant: Hashable, Sendable {
  /// Where, in the unit of the horizontal axis.
  package let at: Double
  /// What is written above it; may be empty.
  package let label: String

  /// A marked place.
  package init(at: Double, label: String = "") {
    self.at = at
    self.label = label
  }
}

/// A value that is marked by a horizontal line: a baseline, a limit.
package struct ReferenceLine: Hashable, Sendable {
  /// The value, in the unit of the vertical axis.
  package let value: Double
  /// What is written beside it; may be empty.
  package let label: String

  /// A marked value.
  package init(value: Double, label: String = "") {
    self.value = value
    self.label = label
  }
}

/// The sound of a trial, on the chart's horizontal axis: shaded from its onset to its offset, both of which are marked.
package struct StimulusMark: Hashable, Sendable {
  /// The instant at which its first frame sounds, in the unit of the horizontal axis.
  package let onset: Double
  /// The instant at which its last frame sounds; `nil` where it was not measured, which shades nothing.
  package let offset: Double?
  /// The clip's name, or another short description.
  package let label: String

  /// A stimulus between its onset and its offset.
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
