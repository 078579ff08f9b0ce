package import Basics
import Quantities
import Recordings

/// The outcome of importing one file.
package struct ImportSummary: Sendable {
  /// A line of the summary.
  package enum Line: Hashable, Sendable {
    case outcome(String)
    case problem(String)
  }

  /// A characteristic of the person in the file, with the value known before; `nil` if there was none.
  struct Characteristic: Sendable {
    /// Its name in the tutorial: `dateOfBirth`.
    let name: String
    /// Its name in messages, with the participant's code if there is one.
    let words: String
    let value: String
    let known: String?
    /// Why it is implausible.
    var doubt: String?
  }

  let path: String
  /// The outcome for its records; `nil` if the file could not be opened.
  var report: ImportReport?
  /// The characteristics of the person in the file.
  var characteristics: [Characteristic] = []
  /// Why the file could not be read to the end.
  var fault: ImportError?
  private var added = 0
  private var different = 0

  /// Whether the file was only read, without storing anything.
  private let isPreview: Bool

  package init(path: String, isPreview: Bool = false) { (self.path, self.isPreview) = (path, isPreview) }

  /// Adds the outcome for some of its samples and series.
  mutating func count(_ saved: SaveReport) {
    added += saved.added
    different += saved.different
  }

  /// Whether every storable record was read, and there was at least one.
  package var isWhole: Bool {
    guard let report, fault == nil else { return false }
    return report.refused == 0 && report.samples + report.series > 0
  }

  /// The summary for people.
  package var lines: [Line] {
    var lines = characteristics.flatMap { Self.lines(of: $0) }
    if let report { add(report, to: &lines) }
    if let fault { lines.append(.problem("\(fault)")) }
    return lines
  }

  private func add(_ report: ImportReport, to lines: inout [Line]) {
    func tell(_ text: String) { lines.append(.outcome(text)) }
    func add(_ text: String) { lines.append(.problem(text)) }
    for problem in report.problems { add("\(path):\(problem.line): \(problem.reason)") }
    let unlisted = report.refused - report.problems.count
    if unlisted > 0 { add("\(path): and \(unlisted) more records that could not be read") }
    let series = report.series == 0 ? "" : " and \(report.series) series of heartbeats"
    let outcome = isPreview ? "none stored (--preview)" : "\(added) of them new"
    let refused = report.refused == 0 ? "" : "; \(report.refused.counted("record")) could not be read"
    tell("\(path): \(report.samples.counted("sample"))\(series) read, \(outcome)\(refused)")
    if report.samples + report.series == 0 { add("\(path): no samples found") }
    if different > 0 {
      tell("  \(different) are already in the store with another value or metadata, and were left unchanged")
    }
    if report.repeated > 0, let line = report.firstRepeated {
      tell(
        "  \(report.repeated.counted("row")) \(report.repeated == 1 ? "repeats" : "repeat") another row of the same "
          + "time and were imported once, the first in line \(line); an “id” column or finer times keep them separate")
    }
    for (type, count) in report.implausible.sorted(by: { $0.key.identifier < $1.key.identifier }) {
      guard let range = type.plausible else { continue }
      let ends = [range.lowerBound, range.upperBound].compactMap { end in
        try? Quantity(end, type.canonicalUnit).plainValue(in: type.defaultUnit)
      }.map(\.brief)
      add(
        "\(path): \(count.counted("value")) of \(type) \(count == 1 ? "is" : "are") implausible "
          + "(\(ends.joined(separator: " to ")) \(type.defaultUnit)) and stored as read; check the unit and the columns"
      )
    }
    if report.noted > 0 {
      tell("  \(report.noted.counted("record was", "records were")) read in part:")
      for note in report.notes { tell("    \(note)") }
      if report.noted > report.notes.count { tell("    and \(report.noted - report.notes.count) more") }
    }
    for (name, count) in report.leftOut.sorted(by: { $0.key < $1.key }) {
      tell("  left out: \(count) of \(name.visible)")
    }
    if !report.ignoredColumns.isEmpty {
      tell("  columns not read: \(report.ignoredColumns.map(\.visible).joined(separator: ", "))")
    }
  }

  private static func lines(of found: Characteristic) -> [Line] {
    let (words, value) = (found.words, found.value)
    let doubt = found.doubt.map { Line.problem("the \(words), \(value), is implausible: \($0)") }
    let outcome: Line? =
      switch found.known {
      case nil: .outcome("\(words): \(value), from the file")
      case value?: nil
      case let known?:
        .problem("the \(words) is \(known) in the store and \(value) in the file; the store was left unchanged")
      }
    return [doubt, outcome].compactMap(\.self)
  }

  package var json: JSONValue {
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
            "known": .text(found.known),
          ]
        }),
      "error": .text(fault.map { "\($0)" }),
    ]
  }

  private static func json(_ problems: [ImportReport.Problem]) -> JSONValue {
    .array(problems.map { ["line": .integer($0.line), "reason": .string($0.reason)] })
  }
}
