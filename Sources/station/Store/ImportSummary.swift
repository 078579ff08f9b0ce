import Imports

/// What became of an imported file, in a few lines.
struct ImportSummary: Sendable {
  let report: ImportReport
  /// How many of its samples and series the store did not have.
  let added: Int

  func lines(of path: String) -> [String] {
    let total = report.samples + report.series
    var lines = ["\(SampleRendering.plain(path)): \(total) samples read, \(added) of them new"]
    if report.refused > 0 { lines.append("  \(report.refused) records could not be read:") }
    lines += report.problems.map { "  \(SampleRendering.plain("\($0)"))" }
    let unread = report.refused - report.problems.count
    if unread > 0 { lines.append("  … and \(unread) more") }
    for (name, count) in report.leftOut.sorted(by: { $0.key < $1.key }) {
      lines.append("  left out: \(count) of \(SampleRendering.plain(name))")
    }
    if !report.ignoredColumns.isEmpty {
      lines.append("  columns not read: \(report.ignoredColumns.map(SampleRendering.plain).joined(separator: ", "))")
    }
    return lines
  }
}
