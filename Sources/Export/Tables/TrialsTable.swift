import Analysis
import Basics
import Bundles
import Quantities
import Study

/// The table with one row per trial.
enum TrialsTable {
  /// Whose data a row has: what every table begins with.
  static let head: [ExportColumn<ExportedTrial>] = [
    ExportColumn("participant", .string, "the participant's code") { .string($0.participant) },
    ExportColumn("session", .string, "the session's number or name") { .string($0.facts.session) },
    ExportColumn("trial", .string, "the trial's identifier") { .string($0.identifier) },
    ExportColumn(
      "condition", .string,
      "the design's condition, or else the protocol's identifier; empty for the steps around a session's trials"
    ) { $0.facts.condition.map { .string($0) } },
    ExportColumn("clip", .string, "the clip's name") { $0.facts.clip.map { .string($0) } },
    ExportColumn(
      "simulated", .boolean, "whether the trial, or a sensor of it, was simulated: then it is not a person's"
    ) {
      .bool($0.record.simulation.isSimulated)
    },
  ]

  /// The same for a table whose rows belong to trials.
  static func head<Row>(of trial: any KeyPath<Row, ExportedTrial> & Sendable) -> [ExportColumn<Row>] {
    head.map { column in
      ExportColumn(column.field.name, column.field.kind, column.field.meaning) { column.cell($0[keyPath: trial]) }
    }
  }

  private static let columns: [ExportColumn<ExportedTrial>] =
    head + [
      ExportColumn("start", .datetime, "when the trial began, by the calendar at its zero") {
        .string($0.start.precise)
      },
      ExportColumn("localStart", .string, "the same by the station's local time, with its offset from UTC") {
        $0.localTime($0.start).map { .string($0) }
      },
      ExportColumn("timeZone", .string, "the station's time zone") { $0.timeZone.map { .string($0) } },
      ExportColumn("protocol", .string, "the protocol's identifier") { .string($0.record.studyProtocol.identifier) },
      ExportColumn("protocolVersion", .string, "the protocol's version") { .string($0.record.studyProtocol.version) },
      ExportColumn("period", .integer, "the trial's number among those of its participant, from 1") {
        $0.place.period.map { .integer($0) }
      },
      ExportColumn("trialInSession", .integer, "the trial's number in its session, from 1") {
        $0.place.trialInSession.map { .integer($0) }
      },
      ExportColumn("previousCondition", .string, "the condition of the trial before it in its session") {
        $0.place.previousCondition.map { .string($0) }
      },
      ExportColumn("block", .integer, "the block of the design, from 1") {
        ($0.facts.design?.block).map { .integer($0) }
      },
      ExportColumn("position", .integer, "the position among the design's trials, from 1") {
        ($0.facts.design?.position).map { .integer($0) }
      },
      ExportColumn("practice", .boolean, "whether the trial was for practice") {
        .bool($0.facts.design?.isPractice ?? false)
      },
      ExportColumn("around", .boolean, "whether the row is of the steps around a session's trials, and of no trial") {
        .bool($0.facts.isAround)
      },
      ExportColumn("group", .string, "the participant's group") { $0.facts.group.map { .string($0) } },
      ExportColumn("mood", .string, "the clip's intended mood") { $0.facts.mood.map { .string($0) } },
      ExportColumn("clipSHA256", .string, "the SHA-256 of the clip's file") {
        ($0.record.clip?.clip.sha256).map { .string($0) }
      },
      ExportColumn("onset_s", .number, "the onset of the stimulus, in seconds since the trial's zero") {
        ($0.facts.event()?.onset).flatMap(JSONValue.seconds)
      },
      ExportColumn("onsetUncertainty_s", .number, "half the width of the interval in which the onset lies") {
        ($0.facts.sounds.first?.onsetUncertainty).flatMap(JSONValue.seconds)
      },
      ExportColumn("offset_s", .number, "the offset of the stimulus, in seconds since the trial's zero") {
        ($0.facts.event()?.offset).flatMap(JSONValue.seconds)
      },
      ExportColumn("gain_dB", .number, "the gain with which the clip was played") {
        ($0.record.clip?.gain).map { .number($0) }
      },
      ExportColumn("outcome", .string, "how the trial ended") { .string($0.record.closing.outcome.rawValue) },
      ExportColumn("verdict", .string, "how far the trial can be trusted: good, suspect or bad") {
        .string($0.record.verdict.rawValue)
      },
      ExportColumn(
        "corrections", .string, "which people's corrections of beats are used: how many, and whose; empty for none"
      ) { $0.corrections.map { .string($0) } },
      ExportColumn("reasons", .string, "what led to a verdict that is not good") {
        guard !$0.record.reasons.isEmpty, !$0.pseudonymisation.isActive else { return nil }
        return .string($0.record.reasons.map(\.description).joined(separator: "; "))
      },
    ]

  /// The table's columns, with one for each factor of the designs.
  static func columns(factors: [String]) -> [ExportColumn<ExportedTrial>] {
    columns
      + factors.map { name in
        ExportColumn("factor_\(name)", .string, "the level of the factor “\(name)”") {
          ($0.facts.design?.factors?[name]).map { .string($0) }
        }
      }
  }
}

extension JSONValue {
  /// Seconds to the nanosecond, which is what bundles count in.
  static func seconds(_ seconds: Double) -> JSONValue? { .number((seconds * 1e9).rounded() / 1e9 + 0) }
}
