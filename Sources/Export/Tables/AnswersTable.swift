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

  private static let inputColumns: [ExportColumn<Row>] = [
    ExportColumn("painted_s", .number, "when the screen with the question was painted; empty where not measured") {
      ($0.answer.input?.painted).flatMap { .seconds($0.time.seconds) }
    },
    ExportColumn("painted_uncertainty_s", .number, "how far that may be from the truth") {
      ($0.answer.input?.painted).flatMap { .seconds($0.uncertainty.seconds) }
    },
    ExportColumn("made_s", .number, "when the input that confirmed the answer was made") {
      ($0.answer.input?.made).flatMap { .seconds($0.time.seconds) }
    },
    ExportColumn("made_uncertainty_s", .number, "how far that may be from the truth") {
      ($0.answer.input?.made).flatMap { .seconds($0.uncertainty.seconds) }
    },
    ExportColumn("device", .string, "with what it was entered: key, pointer, touch, line") {
      ($0.answer.input?.device).flatMap { .string($0.rawValue) }
    },
    ExportColumn("first_contact_s", .number, "when the entry was touched first; empty where that was the answer") {
      ($0.answer.input?.firstContact).flatMap { .seconds($0.seconds) }
    },
    ExportColumn("changes", .integer, "how often the entry was changed before the answer was confirmed") {
      ($0.answer.input?.changes).flatMap { .integer($0) }
    },
  ]

  static let columns: [ExportColumn<Row>] =
    TrialsTable.head(of: \Row.trial) + [
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
    ] + inputColumns
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
