import Basics
import Exchange
import HealthStore
import Quantities

/// What became of an imported file.
struct ImportSummary: Sendable {
  /// What a file says of the person, beside what was known before; `nil` where nothing was.
  struct Characteristic: Sendable {
    /// As the tutorial calls it: `dateOfBirth`.
    let name: String
    /// As people call it, with the person's code where there is one.
    let words: String
    let value: String
    let known: String?
    /// Why it cannot be right.
    var doubt: String?
  }

  let path: String
  /// What became of its records; `nil` for a file that could not be opened.
  var report: ImportReport?
  /// What it says of the person.
  var characteristics: [Characteristic] = []
  /// Why it could not be read to its end.
  var fault: ImportError?
  private var added = 0
  private var different = 0

  /// Whether the file was only read, and nothing stored.
  private let isPreview: Bool

  init(path: String, isPreview: Bool = false) { (self.path, self.isPreview) = (path, isPreview) }

  /// Takes what became of some of its samples and series.
  mutating func count(_ saved: SaveReport) {
    added += saved.added
    different += saved.different
  }

  /// Whether every record that has a place in a store was read, and there was one.
  var isWhole: Bool {
    guard let report, fault == nil else { return false }
    return report.refused == 0 && report.samples + report.series > 0
  }

  /// Tells it to people: what could not be read on standard error, the rest on standard output.
  func tell(on console: Console) {
    for characteristic in characteristics { Self.tell(characteristic, on: console) }
    if let report { tell(report, on: console) }
    if let fault { console.complain("\(fault)") }
  }

  private func tell(_ report: ImportReport, on console: Console) {
    for problem in report.problems { console.complain("\(path):\(problem.line): \(problem.reason)") }
    let untold = report.refused - report.problems.count
    if untold > 0 { console.complain("\(path): and \(untold) more records that could not be read") }
    let series = report.series == 0 ? "" : " and \(report.series) series of heartbeats"
    let outcome = isPreview ? "none stored (--preview)" : "\(added) of them new"
    let refused = report.refused == 0 ? "" : "; \(report.refused.counted("record")) could not be read"
    console.line("\(path): \(report.samples.counted("sample"))\(series) read, \(outcome)\(refused)")
    if report.samples + report.series == 0 { console.complain("\(path): there was nothing to take in") }
    if different > 0 {
      console.line("  \(different) are in the store with another text or value under the same identity, and stay so")
    }
    if report.repeated > 0, let line = report.firstRepeated {
      console.line(
        "  \(report.repeated.counted("row")) \(report.repeated == 1 ? "says" : "say") the same as another row of the same "
          + "time and count once with it, the first in line \(line); a column “id” or finer times keep them apart")
    }
    for (type, count) in report.implausible.sorted(by: { $0.key.identifier < $1.key.identifier }) {
      guard let range = type.plausible else { continue }
      let ends = [range.lowerBound, range.upperBound].compactMap { end in
        try? Quantity(end, type.canonicalUnit).plainValue(in: type.defaultUnit)
      }.map { SampleRendering.number($0) }
      console.complain(
        "\(path): \(count.counted("value")) of \(type) \(count == 1 ? "is" : "are") not plausible "
          + "(\(ends.joined(separator: " to ")) \(type.defaultUnit)) and kept as read; see that unit and columns are right"
      )
    }
    if report.noted > 0 {
      console.line("  \(report.noted.counted("record was", "records were")) read in part:")
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

  private static func tell(_ characteristic: Characteristic, on console: Console) {
    let (words, value) = (characteristic.words, characteristic.value)
    if let doubt = characteristic.doubt { console.complain("the \(words), \(value), is not plausible: \(doubt)") }
    guard let known = characteristic.known else { return console.line("\(words): \(value), as the file says") }
    guard known != value else { return }
    console.complain("the \(words) is \(known), and the file says \(value); it stays as it is")
  }

  /// All of it for programs.
  var json: JSONValue {
    let report = report ?? ImportReport()
    return [
      "file": .string(path), "isPreview": .bool(isPreview),
      "samples": .integer(report.samples), "series": .integer(report.series),
      "added": .integer(added), "different": .integer(different), "refused": .integer(report.refused),
      "problems": Self.json(report.problems), "repeatedRows": .integer(report.repeated),
      "implausible": .object(
        Dictionary(uniqueKeysWithValues: report.implausible.map { ($0.key.identifier, .integer($0.value)) })),
      "readInPart": .integer(report.noted), "notes": Self.json(report.notes),
      "leftOut": .object(report.leftOut.mapValues { .integer($0) }),
      "columnsNotRead": .array(report.ignoredColumns.map { .string($0) }),
      "characteristics": .array(
        characteristics.map { found in
          [
            "name": .string(found.name), "value": .string(found.value),
            "known": found.known.map { .string($0) } ?? nil,
          ]
        }),
      "error": fault.map { .string("\($0)") } ?? nil,
    ]
  }

  private static func json(_ problems: [ImportReport.Problem]) -> JSONValue {
    .array(problems.map { ["line": .integer($0.line), "reason": .string($0.reason)] })
  }
}
