import Basics
import Quantities

/// One record of a trial's journal: something that happened, numbered from 0 without gaps.
package struct JournalRecord: Hashable, Sendable, Codable {
  /// The record's number.
  var sequence: Int
  /// When it happened, since the trial's zero; for a reading, the instant of its last beat.
  package var time: Duration
  package var event: JournalEvent

  private enum CodingKeys: String, CodingKey {
    case sequence = "seq"
    case time = "t"
    case event
  }

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
  init(line: [UInt8], number: Int? = nil) throws(JournalProblem) {
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
  func line() -> [UInt8] {
    switch event {
    case .reading(let reading): return ReadingLine.text(of: reading, sequence, time)
    case .sample(let sample): return ReadingLine.text(of: sample, sequence, time)
    default: break
    }
    return JSONValue.coded(self).encoded() + [UInt8(ascii: "\n")]
  }
}

extension Duration {
  /// Its nanoseconds, held within ±2^53 so that every reader of JSON sees the same number.
  var exactNanoseconds: Int64 { max(-(1 << 53), min(1 << 53, nanoseconds)) }
}

extension JSONValue {
  /// The object that a value's members make.
  static func coded(_ value: some Encodable) -> JSONValue { .object(members(of: value)) }

  /// A value's members.
  static func members(of value: some Encodable) -> [String: JSONValue] {
    do {
      return try JSONValue(encoding: value).object ?? [:]
    } catch {
      preconditionFailure("what a journal holds encodes itself without fail: \(error)")
    }
  }
}

/// What is wrong with a journal, and where.
package struct JournalProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line, from 1; `nil` for what concerns no line in particular.
  let line: Int?

  /// What is wrong, in lower case and without its place.
  let reason: String

  init(line: Int? = nil, reason: String) {
    self.line = line
    self.reason = reason
  }

  /// `line 5 of the journal: …`.
  package var description: String { line.map { "line \($0) of the journal: \(reason)" } ?? "the journal: \(reason)" }
}
