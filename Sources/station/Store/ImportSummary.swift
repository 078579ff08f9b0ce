import HealthStore
import Imports
import Spelling

/// What became of an imported file, in a few lines.
struct ImportSummary: Sendable {
  let path: String
  private var added = 0
  private var different = 0

  init(path: String) { self.path = path }

  /// Takes what became of some of its samples and series.
  mutating func count(_ saved: SaveReport) {
    added += saved.added
    different += saved.different
  }

  /// Tells it: what could not be read on standard error, the rest on standard output.
  func tell(_ report: ImportReport, on console: Console) {
    for problem in report.problems { console.complain("\(path):\(problem.line): \(problem.reason)") }
    let untold = report.refused - report.problems.count
    if untold > 0 { console.complain("\(path): and \(untold) more records that could not be read") }
    let series = report.series == 0 ? "" : " and \(report.series) series of heartbeats"
    let refused = report.refused == 0 ? "" : "; \(report.refused) records could not be read"
    console.line("\(path): \(report.samples) samples\(series) read, \(added) of them new\(refused)")
    if report.samples + report.series == 0 { console.complain("\(path): there was nothing to take in") }
    if different > 0 {
      console.line("  \(different) are in the store with another text or value under the same identity, and stay so")
    }
    if report.noted > 0 {
      console.line("  \(report.noted) records were read in part:")
      for note in report.notes { console.line("    \(note)") }
      if report.noted > report.notes.count { console.line("    and \(report.noted - report.notes.count) more") }
    }
    for (name, count) in report.leftOut.sorted(by: { $0.key < $1.key }) {
      console.line("  left out: \(count) of \(name.visible)")
    }
    if !report.ignoredColumns.isEmpty {
      console.line("  columns not read: \(report.ignoredColumns.map(\.visible).joined(separator: ", "))")
    }
  }
}
