import Basics

/// One record of a trial's journal: something that happened, numbered from 0 without gaps.
package struct JournalRecord: Hashable, Sendable, Codable {
  /// The record's number.
  package var sequence: Int
  /// When it happened, since the trial's zero; for a reading, the instant of its last beat.
  package var time: Duration
  /// What happened.
  package var event: JournalEvent

  private enum CodingKeys: String, CodingKey {
    case sequence = "seq"
    case time = "t"
    case event
  }

  /// A record.
  package init(sequence: Int, time: Duration, event: JournalEvent) {
    self.sequence = sequence
    self.time = time
    self.event = event
  }

  /// Reads one line of a journal.
  ///
  /// - Parameters:
  ///   - line: the line without its newline.
  ///   - number: the line's number from 1, for messages.
  /// - Throws: ``JournalProblem`` for what is not a record of this format.
  package init(line: [UInt8], number: Int? = nil) throws(JournalProblem) {
    if let record = ReadingLine.record(line) {
      self = record
      return
    }
    do {
      self = try JSONReader.read(line).value.decoded()
    } catch let error as JSONProblems {
      throw JournalProblem(line: number, reason: error.problems.first?.description ?? "it is not JSON")
    } catch {
      throw JournalProblem(line: number, reason: "\(error)")
    }
  }

  /// The record as one line of JSON, keys sorted, with its newline.
  ///
  /// Times are whole nanoseconds within ±2^53 (104 days); a number that is not finite is left out.
  package func line() -> [UInt8] {
    switch event {
    case .reading(let reading): return ReadingLine.text(of: reading, sequence, time)
    case .sample(let sample): return ReadingLine.text(of: sample, sequence, time)
    default: break
    }
    return JSONValue.coded(self).encoded() + [UInt8(ascii: "\n")]
  }
}
