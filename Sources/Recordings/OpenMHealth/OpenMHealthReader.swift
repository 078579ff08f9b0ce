import Basics
import Quantities

/// Reads Open mHealth data points: one document, one a line, or an array of them.
final class OpenMHealthReader: RecordReader {
  var batch = ImportBatch()
  private(set) var report = ImportReport()
  private var pieces = JSONPieces()
  private let participant: String?

  init(_ options: ImportOptions) { participant = options.participant }

  func read(_ piece: [UInt8], isLast: Bool) throws(Fault) {
    let (documents, fault) = pieces.take(piece, isLast: isLast)
    for document in documents { read(document) }
    if let fault { throw Fault(line: fault.line, column: 1, reason: fault.reason) }
  }

  private func read(_ piece: JSONPieces.Piece) {
    do throws(JSONProblems) {
      let document = OpenMHealthDocument(try JSONReader.read(piece.text).value)
      guard let measure = document.measure else { return report.leaveOut(document.name) }
      if let statistic = document.statistic(otherThanReadingsOf: measure) {
        return report.leaveOut("\(document.name) (\(statistic))")
      }
      do throws(Refusal) {
        let sample = try document.sample(measure, participant: participant)
        batch.samples.append(sample)
        report.take(sample)
        let unread = document.unread(measure)
        if !unread.isEmpty { report.note(line: piece.line, "the body's \(Self.list(unread)) not read") }
      } catch {
        report.refuse(line: piece.line, error.reason)
      }
    } catch {
      // Where several things are wrong the first is told; each has its own line within the document.
      guard let problem = error.problems.first else { return }
      let place = TextPlace(offset: problem.offset, in: piece.text)
      report.refuse(line: piece.line + place.line - 1, problem.reason)
    }
  }

  // The maximum number of names that are listed.
  private static let maxNames = 12

  /// `“foo” is`, `“foo”, “bar” are`.
  private static func list(_ names: [String]) -> String {
    let more = names.count > maxNames ? " and \(names.count - maxNames) more" : ""
    return names.prefix(maxNames).map { "“\($0.prefix(40).visible)”" }.joined(separator: ", ") + more
      + (names.count == 1 ? " is" : " are")
  }
}
