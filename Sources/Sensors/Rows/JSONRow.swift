import Decimals
import JSON

/// A JSON object as a sample: `{"hr": 72, "rr": [830.1, 841], "contact": true, "t": 12.5}`.
///
/// `rr` is a number or an array, `contact` is `true`, `false`, `1` or `0`; `null` is as good as nothing.
enum JSONRow {
  /// Reads the plain case without making a tree of it: our keys, numbers, no escapes.
  ///
  /// - Returns: `false` for anything else, good or bad, which ``readStrictly(_:)`` then judges.
  static func readQuickly(_ line: Span<UInt8>, from start: Int, into sample: inout Sample) -> Bool {
    var position = start + 1
    var seen: UInt8 = 0
    while true {
      skipSpace(line, &position)
      guard let column = key(line, &position) else { return false }
      let bit: UInt8 =
        switch column {
        case .rate: 1
        case .intervals: 2
        case .contact: 4
        case .time: 8
        case .other: 0
        }
      guard bit != 0, seen & bit == 0 else { return false }
      seen |= bit
      skipSpace(line, &position)
      guard take(line, &position, ":") else { return false }
      skipSpace(line, &position)
      switch column {
      case .rate:
        guard let value = number(line, &position) else { return false }
        sample.heartRate = value
      case .time:
        guard let value = number(line, &position) else { return false }
        sample.time = value
      case .intervals:
        guard intervals(line, &position, into: &sample) else { return false }
      case .contact:
        guard let value = truth(line, &position) else { return false }
        sample.contact = value
      case .other: return false
      }
      skipSpace(line, &position)
      if take(line, &position, ",") { continue }
      guard take(line, &position, "}") else { return false }
      skipSpace(line, &position)
      return position == line.count
    }
  }

  /// Reads any JSON object, and says what is wrong with what is none.
  static func readStrictly(_ line: Span<UInt8>) -> Row {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(line.count)
    for index in line.indices { bytes.append(line[index]) }
    let node: JSONNode
    do {
      node = try JSONReader.read(bytes)
    } catch {
      guard let problem = error.problems.first else { return .unreadable("not JSON") }
      return .unreadable("column \(TextPlace(offset: problem.offset, in: bytes).column): \(problem.reason)")
    }
    var sample = Sample()
    if let complaint = read(node, into: &sample) ?? sample.check() { return .unreadable(complaint) }
    return .sample(sample)
  }

  /// Reads a JSON object into a sample.
  ///
  /// - Returns: why it cannot be read; `nil` when it was.
  private static func read(_ node: JSONNode, into sample: inout Sample) -> String? {
    guard case .object(let members) = node.content else { return "expected an object, not \(node.phrase)" }
    var seen: [RowReader.Column: String] = [:]
    for member in members {
      let column = CSVRow.column(member.key)
      guard column != .other else { continue }
      if let other = seen.updateValue(member.key, forKey: column) { return "both “\(other)” and “\(member.key)”" }
      switch (column, member.value.content) {
      case (_, .null): continue
      case (.rate, .number(let value)): sample.heartRate = value
      case (.time, .number(let value)): sample.time = value
      case (.intervals, .number(let value)): sample.rrIntervals = [value]
      case (.intervals, .array(let elements)):
        for element in elements {
          guard case .number(let value) = element.content else {
            return "“\(member.key)” has \(element.phrase) where a number of milliseconds was expected"
          }
          sample.rrIntervals.append(value)
        }
      case (.contact, .bool(let value)): sample.contact = value
      case (.contact, .number(let value)) where value == 0 || value == 1: sample.contact = value == 1
      default: return "“\(member.key)” is \(member.value.phrase); expected \(wanted(column))"
      }
    }
    return nil
  }

  private static func wanted(_ column: RowReader.Column) -> String {
    switch column {
    case .rate: "a number of beats a minute"
    case .intervals: "a number of milliseconds or an array of such"
    case .contact: "true, false, 1 or 0"
    case .time: "a number of seconds"
    case .other: "anything"
    }
  }

  // MARK: The plain case

  private static func key(_ line: Span<UInt8>, _ position: inout Int) -> RowReader.Column? {
    guard take(line, &position, "\"") else { return nil }
    let start = position
    while position < line.count, line[position] != UInt8(ascii: "\"") { position += 1 }
    let length = position - start
    guard take(line, &position, "\"") else { return nil }
    func at(_ index: Int) -> UInt8 { line[start + index] }
    switch length {
    case 1 where at(0) == UInt8(ascii: "t"): return .time
    case 2 where at(0) == UInt8(ascii: "h") && at(1) == UInt8(ascii: "r"): return .rate
    case 2 where at(0) == UInt8(ascii: "r") && at(1) == UInt8(ascii: "r"): return .intervals
    case 3 where at(0) == UInt8(ascii: "b") && at(1) == UInt8(ascii: "p") && at(2) == UInt8(ascii: "m"): return .rate
    case 7 where has(line, start, "contact"): return .contact
    default: return nil
    }
  }

  private static func has(_ line: Span<UInt8>, _ start: Int, _ word: StaticString) -> Bool {
    guard start + word.utf8CodeUnitCount <= line.count else { return false }
    return word.withUTF8Buffer { buffer in
      for index in 0..<buffer.count where unsafe line[start + index] != buffer[index] { return false }
      return true
    }
  }

  private static func intervals(_ line: Span<UInt8>, _ position: inout Int, into sample: inout Sample) -> Bool {
    guard take(line, &position, "[") else {
      guard let value = number(line, &position) else { return false }
      sample.rrIntervals = [value]
      return true
    }
    skipSpace(line, &position)
    if take(line, &position, "]") { return true }
    while true {
      skipSpace(line, &position)
      guard let value = number(line, &position) else { return false }
      sample.rrIntervals.append(value)
      skipSpace(line, &position)
      if take(line, &position, "]") { return true }
      guard take(line, &position, ",") else { return false }
    }
  }

  private static func number(_ line: Span<UInt8>, _ position: inout Int) -> Double? {
    // A sign or a leading zero is left to the strict reader, which refuses some of it; `0.` is common in times.
    guard position + 1 < line.count, line[position] != UInt8(ascii: "-"),
      line[position] != UInt8(ascii: "0") || line[position + 1] == UInt8(ascii: ".")
    else { return nil }
    return Decimal.read(line, &position)
  }

  private static func truth(_ line: Span<UInt8>, _ position: inout Int) -> Bool? {
    guard position < line.count else { return nil }
    let (word, value): (StaticString, Bool)
    switch line[position] {
    case UInt8(ascii: "t"): (word, value) = ("true", true)
    case UInt8(ascii: "f"): (word, value) = ("false", false)
    case UInt8(ascii: "1"): (word, value) = ("1", true)
    case UInt8(ascii: "0"): (word, value) = ("0", false)
    default: return nil
    }
    guard has(line, position, word) else { return nil }
    position += word.utf8CodeUnitCount
    return value
  }

  private static func skipSpace(_ line: Span<UInt8>, _ position: inout Int) {
    while position < line.count, line[position] == 0x20 || line[position] == 0x09 { position += 1 }
  }

  private static func take(_ line: Span<UInt8>, _ position: inout Int, _ character: Unicode.Scalar) -> Bool {
    guard position < line.count, line[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }
}
