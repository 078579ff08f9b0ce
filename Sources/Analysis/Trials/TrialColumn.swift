package import Basics
import Bundles
import Quantities
import Recordings
import Study

/// A column of a long table: its name, and the content of its cells.
package struct TrialColumn<Row: Sendable>: Sendable {
  /// The name, as camelCase with a unit after an underscore.
  let name: String

  /// The content of a row's cell; `nil` for an empty one.
  let cell: @Sendable (Row) -> JSONValue?

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

/// The columns that a study adds to long tables: one for each factor of its designs, and one for each answer.
package struct StudyColumns: Hashable, Sendable {
  private var factors: Set<String> = []
  private var answers: Set<String> = []

  /// The names of the factors, in their order.
  package var factorNames: [String] { factors.sorted() }

  init() {}

  /// Adds those of a trial.
  mutating func add(_ trial: TrialHeading) {
    factors.formUnion(trial.design?.factors?.keys.map(\.self) ?? [])
    answers.formUnion(trial.answerNames)
  }

  /// The columns, in their order.
  var columns: [TrialColumn<TrialRowHead>] {
    factors.sorted().map { name in TrialColumn("factor_\(name)") { .cell($0.trial?.design?.factors?[name]) } }
      + answers.sorted().map { name in TrialColumn("answer_\(name)") { $0.trial?.answers[name].map(\.cell) } }
  }
}

/// A row of a long table, which programs read as one of fields or as an object.
package protocol TrialTableRow: Sendable {
  /// The columns, in their order.
  static var columns: [TrialColumn<Self>] { get }
  /// Whose samples they are.
  var head: TrialRowHead { get }
}

extension TrialTableRow {
  /// The names of the columns as a row of a table, with those that a study adds.
  package static func header(_ study: StudyColumns) -> String {
    TableRow.text((columns.map(\.name) + study.columns.map(\.name)).map(TableRow.harmless))
  }

  /// The row of a table, with commas between fields; a missing value is an empty field.
  ///
  /// Numbers are written as JSON writes them, and no text is a formula for a spreadsheet.
  package func csv(_ study: StudyColumns) -> String {
    TableRow.text(
      (Self.columns.map { $0.cell(self) } + study.columns.map { $0.cell(head) }).map { cell in
        switch cell {
        case nil: ""
        case .string(let text): TableRow.harmless(text)
        case let value?: value.text()
        }
      })
  }

  /// The row as an object; every column is there.
  package func json(_ study: StudyColumns) -> JSONValue {
    var members = Self.columns.reduce(into: [String: JSONValue]()) { $0[$1.name] = $1.cell(self) ?? .null }
    for column in study.columns { members[column.name] = column.cell(head) ?? .null }
    return .object(members)
  }
}

extension AnswerValue {
  /// The answer in a table.
  fileprivate var cell: JSONValue {
    switch self {
    case .integer(let number): .integer(number)
    case .decimal(let number): .number(number)
    case .boolean(let isTrue): .bool(isTrue)
    case .text(let text): .string(text)
    case .choices(let choices): .string(choices.joined(separator: ";"))
    }
  }
}

extension JSONValue {
  static func cell(_ text: String?) -> JSONValue? { text.map { .string($0) } }

  static func cell(_ count: Int?) -> JSONValue? { count.map { .integer($0) } }

  static func cell(_ truth: Bool?) -> JSONValue? { truth.map { .bool($0) } }

  static func cell(_ number: Double?) -> JSONValue? { number.flatMap { $0.isFinite ? .number($0) : nil } }

  /// Seconds, to the nanosecond, which is what bundles count in; nothing for so many that nanoseconds cannot be counted.
  static func cell(seconds: Double?) -> JSONValue? { cell(seconds.map { ($0 * 1e9).rounded() / 1e9 + 0 }) }

  /// Sentences; nothing for none.
  static func cell(_ sentences: [String]) -> JSONValue? {
    sentences.isEmpty ? nil : .string(sentences.joined(separator: " "))
  }
}

/// Whose samples they are: what the rows of all long tables begin with.
package struct TrialRowHead: Sendable {
  /// The trial's place among others.
  let place: TrialPlace
  /// The trial; `nil` for a file from outside a trial.
  let trial: TrialFacts?
  /// The sensor's name.
  let sensor: String?
  /// The recorder's identifier.
  let recorder: String?
  /// Which people's corrections of its beats are used; `nil` for none.
  package private(set) var corrections: String?
  /// `true` for a recording that is simulated; `nil` where only its trial says so or not.
  private var isSimulated: Bool?

  /// Whose samples they are, part by part.
  init(place: TrialPlace, trial: TrialFacts?, sensor: String?, recorder: String?) {
    (self.place, self.trial, self.sensor, self.recorder) = (place, trial, sensor, recorder)
  }

  /// Whose samples a recording holds.
  init(_ recording: Recording, at place: TrialPlace) {
    self.place = place
    trial = recording.trial
    sensor = recording.sensor
    recorder = recording.recorder
    corrections = recording.corrections?.caption
    isSimulated = recording.isSimulated ? true : nil
  }

  static let columns: [TrialColumn<TrialRowHead>] = [
    TrialColumn("participant") { .cell($0.trial?.participant) },
    TrialColumn("session") { .cell($0.trial?.session) },
    TrialColumn("trial") { .cell($0.trial?.trial) },
    TrialColumn("start") { .cell($0.trial?.start?.precise) },
    TrialColumn("localStart") { .cell($0.trial?.localStart) },
    TrialColumn("timeZone") { .cell($0.trial?.timeZone) },
    TrialColumn("period") { .cell($0.place.period) },
    TrialColumn("trialInSession") { .cell($0.place.trialInSession) },
    TrialColumn("condition") { .cell($0.trial?.condition) },
    TrialColumn("previousCondition") { .cell($0.place.previousCondition) },
    TrialColumn("block") { .cell($0.trial?.design?.block) },
    TrialColumn("position") { .cell($0.trial?.design?.position) },
    TrialColumn("practice") { .cell($0.trial?.design?.isPractice) },
    TrialColumn("simulated") { .cell($0.isSimulated ?? $0.trial?.simulation.isSimulated) },
    TrialColumn("group") { .cell($0.trial?.group) },
    TrialColumn("clip") { .cell($0.trial?.clip) },
    TrialColumn("previousClip") { .cell($0.place.previousClip) },
    TrialColumn("mood") { .cell($0.trial?.mood) },
    TrialColumn("sensor") { .cell($0.sensor) },
    TrialColumn("recorder") { .cell($0.recorder) },
  ]
}
