package import Basics
import Quantities
import Study

extension Bundle {
  /// What a list of bundles shows of it, as JSON.
  package var brief: JSONValue {
    [
      "trial": .string(record.trial),
      "startDate": .string("\(record.startDate)"),
      "participant": .string(record.participant),
      "session": .string(record.session),
      "protocol": .string(record.studyProtocol.identifier),
      "condition": .text(record.condition),
      "number": record.place?.trial.map { .integer($0) } ?? .null,
      "timeZone": .text(record.station.timeZone),
      "clip": .text(record.clip?.clip.name),
      "samples": .integer(record.samples),
      "outcome": .string(record.closing.outcome.rawValue),
      "verdict": .string(record.verdict.rawValue),
      "simulated": .bool(record.simulation.isSimulated),
      "path": .string(path),
    ]
  }

  /// A list of bundles as a table.
  package static func table(_ bundles: [Bundle]) -> TextTable {
    var table = TextTable([
      ("start", .left), ("participant", .left), ("session", .left), ("no.", .right), ("protocol", .left),
      ("condition", .left), ("clip", .left),
      ("samples", .right), ("outcome", .left), ("verdict", .left), ("trial", .left),
    ])
    for record in bundles.map(\.record) {
      table.add([
        record.station.local(record.startDate), record.participant, record.session,
        record.place?.trial.map { "\($0)" } ?? "–", record.studyProtocol.identifier,
        record.isAround ? "around the trials" : record.design?.condition ?? "–", record.clip?.clip.name ?? "–",
        "\(record.samples)",
        record.closing.outcome.rawValue + (record.simulation.isSimulated ? " (simulated)" : ""),
        record.verdict.rawValue,
        record.trial,
      ])
    }
    return table
  }
}
