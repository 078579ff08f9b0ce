import Analysis
import Basics
import Bundles

/// What all tables have of one trial.
struct TrialRows: Sendable {
  /// The rows of each table, and how many they are.
  private(set) var tables: [ExportTable: (bytes: [UInt8], count: Int)] = [:]

  /// The rows of a trial.
  ///
  /// - Parameters:
  ///   - trial: the trial.
  ///   - form: the form of the rows.
  ///   - factors: the factors of the designs, each of which is a column.
  init(_ trial: ExportedTrial, _ form: TableExport.Form, factors: [String]) {
    for table in ExportTable.allCases {
      let writer = RowWriter(form, table.fields(factors: factors))
      var bytes: [UInt8] = []
      var count = 1
      switch table {
      case .trials: writer.row(trial, TrialsTable.columns(factors: factors), to: &bytes)
      case .beats: count = BeatsTable.append(trial, writer, to: &bytes)
      case .samples: count = SamplesTable.append(trial, writer, to: &bytes)
      case .answers:
        count = trial.record.answers.count
        for answer in trial.record.answers {
          writer.row(AnswersTable.Row(trial: trial, answer: answer), AnswersTable.columns, to: &bytes)
        }
      }
      tables[table] = (bytes, count)
    }
  }
}
