package import Basics
package import Bundles
package import Recordings

/// How two people have corrected the same beats.
package struct CorrectionComparison: Sendable {
  /// The two authors, the corrections of each that are used, and what the beats come to with them.
  package let one: Part
  package let other: Part
  /// The corrections that both have made, and those that only one has.
  package let edits: (both: [Correction], onlyOne: [Correction], onlyOther: [Correction])
  /// The numbers of beats that both have, and of those that only one has.
  package let beats: (both: Int, onlyOne: Int, onlyOther: Int)

  /// What one of them has made of the beats.
  package struct Part: Sendable {
    package let author: String
    package let edits: [Correction]
    /// The beats outside of unusable stretches.
    let times: [Double]
    /// The measures of the whole recording with these corrections.
    package let measurements: [Measurement]
  }

  /// The measures that are compared.
  package static let measures: [Measure] = [.meanNN, .sdnn, .rmssd]

  /// Compares the corrections of two authors.
  ///
  /// - Parameters:
  ///   - one: an author.
  ///   - other: another one.
  ///   - settings: how measures are computed.
  ///   - open: opens the beats with the corrections of one author alone.
  /// - Throws: read errors.
  package init(
    _ one: String, _ other: String, _ settings: AnalysisSettings, open: (CorrectionChoice) throws -> BeatEditor
  ) throws {
    func part(_ author: String) throws -> Part {
      let editor = try open(.author(author))
      let recording = try editor.corrected()
      let measured = AnalysedRecording(recording, settings).measured(in: .whole, Self.measures)
      return Part(
        author: author, edits: recording.corrections?.used.map(\.correction) ?? [], times: try editor.beatTimes(),
        measurements: measured.measurements)
    }
    self.init(try part(one), try part(other))
  }

  private init(_ one: Part, _ other: Part) {
    (self.one, self.other) = (one, other)
    func isShared(_ edit: Correction, _ others: [Correction]) -> Bool {
      others.contains { $0.edit.isLike(edit.edit) && $0.basis == edit.basis }
    }
    edits = (
      one.edits.filter { isShared($0, other.edits) }, one.edits.filter { !isShared($0, other.edits) },
      other.edits.filter { !isShared($0, one.edits) }
    )
    var (both, rest) = (0, other.times[...])
    for time in one.times {
      rest = rest.drop { $0 < time - EditedBeats.tolerance }
      guard let next = rest.first, next <= time + EditedBeats.tolerance else { continue }
      both += 1
      rest = rest.dropFirst()
    }
    beats = (both, one.times.count - both, other.times.count - both)
  }

  /// The comparison for programs.
  package var json: JSONValue {
    func numbers(_ edits: [Correction]) -> JSONValue { .array(edits.map { .integer($0.number) }) }
    return [
      "authors": [.string(one.author), .string(other.author)],
      "corrections": [
        "both": numbers(edits.both), "onlyFirst": numbers(edits.onlyOne), "onlySecond": numbers(edits.onlyOther),
      ],
      "beats": [
        "both": .integer(beats.both), "onlyFirst": .integer(beats.onlyOne), "onlySecond": .integer(beats.onlyOther),
        "tolerance_ns": .integer(Int(EditedBeats.tolerance * 1e9)),
      ],
      "measures": .array(
        zip(one.measurements, other.measurements).map { first, second in
          [
            "measure": .string(first.measure.rawValue), "unit": .string(first.unit), "first": .finite(first.value),
            "second": .finite(second.value),
            "difference": .finite(second.value.flatMap { value in first.value.map { value - $0 } }),
          ]
        }),
    ]
  }
}
