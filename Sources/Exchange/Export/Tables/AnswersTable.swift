import Basics
import Bundles
import Study

/// The table with one row per answer.
enum AnswersTable {
  /// An answer with its trial.
  struct Row: Sendable {
    let trial: ExportedTrial
    let answer: TrialRecord.Answer
  }

  static let columns: [ExportColumn<Row>] =
    TrialsTable.head.map { column in
      ExportColumn(column.field.name, column.field.kind, column.field.meaning) { column.cell($0.trial) }
    } + [
      ExportColumn("step", .string, "the step that asked") { .string($0.answer.step) },
      ExportColumn("question", .string, "the question's identifier") { .string($0.answer.question) },
      ExportColumn("answer", .string, "the answer; the values of several choices are parted by semicolons") {
        $0.trial.said($0.answer.value).map { .string($0) }
      },
      ExportColumn("number", .number, "the answer as a number, where it is one") {
        $0.answer.value.number.map { .number($0) }
      },
      ExportColumn("shown_s", .number, "when the question was shown, in seconds since the trial's zero") {
        .seconds($0.answer.shown.seconds)
      },
      ExportColumn("answered_s", .number, "when the answer was confirmed, in seconds since the trial's zero") {
        .seconds($0.answer.answered.seconds)
      },
    ]
}

extension AnswerValue {
  /// The answer in exported tables.
  var exported: String {
    switch self {
    case .integer(let number): "\(number)"
    case .decimal(let number): "\(number)"
    case .boolean(let isTrue): isTrue ? "true" : "false"
    case .text(let text): text
    case .choices(let choices): choices.joined(separator: ";")
    }
  }
}

extension ExportedTrial {
  /// An answer; `nil` for one in the participant's own words where those are left out.
  func said(_ answer: AnswerValue) -> String? { words?.says(answer) ?? true ? answer.exported : nil }
}
