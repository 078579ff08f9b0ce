package import Basics
import Quantities
import Recordings

/// A column of a long table: its name, and the content of its cells.
package struct TrialColumn<Row: Sendable>: Sendable {
  /// The name, as camelCase with a unit after an underscore.
  package let name: String

  /// The content of a row's cell; `nil` for an empty one.
  package let cell: @Sendable (Row) -> JSONValue?

  init(_ name: String, _ cell: @escaping @Sendable (Row) -> JSONValue?) {
    self.name = name
    self.cell = cell
  }

  /// The same column of rows that hold such rows.
  func of<Larger: Sendable>(_ part: @escaping @Sendable (Larger) -> Row) -> TrialColumn<Larger> {
    let cell = cell
    return TrialColumn<Larger>(name) { cell(part($0)) }
  }
}

/// A row of a long table, which programs read as one of fields or as an object.
package protocol TrialTableRow: Sendable {
  /// The columns, in their order.
  static var columns: [TrialColumn<Self>] { get }
}

extension TrialTableRow {
  /// The names of the columns as a row of a table.
  package static var header: String { TableRow.text(columns.map(\.name)) }

  /// The row of a table, with commas between fields; a missing value is an empty field.
  ///
  /// Numbers are written as JSON writes them.
  package var csv: String {
    TableRow.text(
      Self.columns.map { column in
        switch column.cell(self) {
        case nil: ""
        case .string(let text): text
        case let value?: value.text()
        }
      })
  }

  /// The row as an object; every column is there.
  package var json: JSONValue {
    .object(Self.columns.reduce(into: [:]) { $0[$1.name] = $1.cell(self) ?? .null })
  }
}

extension JSONValue {
  static func cell(_ text: String?) -> JSONValue? { text.map { .string($0) } }

  static func cell(_ count: Int?) -> JSONValue? { count.map { .integer($0) } }

  static func cell(_ number: Double?) -> JSONValue? { number.flatMap { $0.isFinite ? .number($0) : nil } }

  /// Seconds, to the nanosecond, which is what bundles count in; nothing for so many that nanoseconds cannot be counted.
  static func cell(seconds: Double?) -> JSONValue? { cell(seconds.map { ($0 * 1e9).rounded() / 1e9 + 0 }) }

  /// Sentences; nothing for none.
  static func cell(_ sentences: [String]) -> JSONValue? {
    sentences.isEmpty ? nil : .string(sentences.joined(separator: " "))
  }
}

/// Whose samples they are: what the rows of all long tables begin with.
package struct TrialHead: Sendable {
  /// The trial's place among others.
  package let place: TrialPlace
  /// The trial; `nil` for a file from outside a trial.
  package let trial: TrialFacts?
  /// The sensor's name.
  package let sensor: String?
  /// The recorder's identifier.
  package let recorder: String?

  /// Whose samples they are, part by part.
  init(place: TrialPlace, trial: TrialFacts?, sensor: String?, recorder: String?) {
    (self.place, self.trial, self.sensor, self.recorder) = (place, trial, sensor, recorder)
  }

  /// Whose samples a recording holds.
  package init(_ recording: Recording, at place: TrialPlace) {
    self.place = place
    trial = recording.trial
    sensor = recording.sensor
    recorder = recording.recorder
  }

  static let columns: [TrialColumn<TrialHead>] = [
    TrialColumn("participant") { .cell($0.trial?.participant) },
    TrialColumn("session") { .cell($0.trial?.session) },
    TrialColumn("trial") { .cell($0.trial?.trial) },
    TrialColumn("start") { .cell($0.trial?.start?.precise) },
    TrialColumn("period") { .cell($0.place.period) },
    TrialColumn("trialInSession") { .cell($0.place.trialInSession) },
    TrialColumn("condition") { .cell($0.trial?.condition) },
    TrialColumn("previousCondition") { .cell($0.place.previousCondition) },
    TrialColumn("clip") { .cell($0.trial?.clip) },
    TrialColumn("previousClip") { .cell($0.place.previousClip) },
    TrialColumn("mood") { .cell($0.trial?.mood) },
    TrialColumn("sensor") { .cell($0.sensor) },
    TrialColumn("recorder") { .cell($0.recorder) },
  ]
}
