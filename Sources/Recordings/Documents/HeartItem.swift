internal import Decimals
internal import JSON
internal import Quantities

/// One item of a heart file, as far as an analysis needs it.
struct HeartItem {
  /// Texts that stand in item after item, by their number in ``HeartItemReader/texts``; `nil` where they are missing.
  var type: Int?
  var unit: Int?
  var source: Int?
  var recorder: Int?
  /// When it was true, in nanoseconds since the trial's zero.
  var time: Double?
  /// When it ended and began on the calendar, where there is no ``time``.
  var endDate: WallTime?
  var startDate: WallTime?
  var value: Double?
  /// The intervals that came with it, in milliseconds.
  var intervals: [Double] = []
  /// The number of the reading in the trial's journal.
  var sequence: Double?
  var contact: Bool?
}

/// Reads items: plain ones without making a tree of them, any other by the strict reader.
struct HeartItemReader {
  /// Every text that stood in an item.
  private(set) var texts: [String] = []

  private var numbers: [String: Int] = [:]
  // The last text of each kind, which the next item has as well nearly always.
  private var last: [(bytes: [UInt8], number: Int)?] = [nil, nil, nil, nil]

  private enum Key: Int {
    // The first four are kinds of texts.
    case type, unit, source, recorder
    case time, endDate, startDate, value, intervals, sequence, contact, late, passedOver
  }

  private static let keys: [(name: [UInt8], key: Key)] = [
    ("type", Key.type), ("unit", .unit), ("source", .source), ("recorder", .recorder), ("t_ns", .time),
    ("endDate", .endDate), ("startDate", .startDate), ("value", .value), ("rr_ms", .intervals), ("seq", .sequence),
    ("contact", .contact), ("late", .late), ("arrived_ns", .passedOver), ("step", .passedOver),
    ("sender_s", .passedOver),
  ].map { (Array($0.utf8), $1) }

  /// The item of a text.
  ///
  /// - Throws: `JSONProblems` where it is not JSON.
  mutating func read(_ text: [UInt8]) throws(JSONProblems) -> HeartItem {
    var item = HeartItem()
    if readQuickly(text.span, into: &item) { return item }
    return self.item(try JSONReader.read(text).value)
  }

  private mutating func item(_ value: JSONValue) -> HeartItem {
    func date(_ key: String) -> WallTime? { value[key]?.string.flatMap { WallTime($0) } }
    var item = HeartItem()
    item.type = value["type"]?.string.map { number(of: $0) }
    item.unit = value["unit"]?.string.map { number(of: $0) }
    item.source = value["source"]?.string.map { number(of: $0) }
    item.recorder = value["recorder"]?.string.map { number(of: $0) }
    item.time = value["t_ns"]?.number
    item.endDate = date("endDate")
    item.startDate = date("startDate")
    item.value = value["value"]?.number
    item.intervals = (value["rr_ms"]?.array ?? []).compactMap(\.number)
    item.sequence = value["seq"]?.number
    item.contact = value["contact"]?.bool
    return item
  }

  private mutating func number(of text: String) -> Int {
    if let number = numbers[text] { return number }
    texts.append(text)
    numbers[text] = texts.count - 1
    return texts.count - 1
  }

  // MARK: The plain case

  /// Reads an item with our keys, each once, numbers without signs and strings without escapes.
  ///
  /// - Returns: `false` for anything else, good or bad.
  private mutating func readQuickly(_ text: Span<UInt8>, into item: inout HeartItem) -> Bool {
    var position = 0
    guard take(text, &position, "{") else { return false }
    var seen = 0
    var dates: (end: Range<Int>, start: Range<Int>) = (0..<0, 0..<0)
    while true {
      skipSpace(text, &position)
      guard let name = string(text, &position), let index = Self.key(text, name) else { return false }
      guard seen & 1 << index == 0 else { return false }
      seen |= 1 << index
      skipSpace(text, &position)
      guard take(text, &position, ":") else { return false }
      skipSpace(text, &position)
      guard member(Self.keys[index].key, text, &position, &dates, into: &item) else { return false }
      skipSpace(text, &position)
      if take(text, &position, ",") { continue }
      guard take(text, &position, "}"), position == text.count else { return false }
      if item.time == nil {
        item.endDate = Self.date(text, dates.end)
        item.startDate = Self.date(text, dates.start)
      }
      return true
    }
  }

  private mutating func member(
    _ key: Key, _ text: Span<UInt8>, _ position: inout Int, _ dates: inout (end: Range<Int>, start: Range<Int>),
    into item: inout HeartItem
  ) -> Bool {
    switch key {
    case .type, .unit, .source, .recorder:
      guard let range = string(text, &position), let number = number(of: text, range, key) else { return false }
      switch key {
      case .type: item.type = number
      case .unit: item.unit = number
      case .source: item.source = number
      default: item.recorder = number
      }
    case .endDate, .startDate:
      guard let range = string(text, &position) else { return false }
      if key == .endDate { dates.end = range } else { dates.start = range }
    case .time, .value, .sequence:
      guard let number = Self.number(text, &position) else { return false }
      switch key {
      case .time: item.time = number
      case .value: item.value = number
      default: item.sequence = number
      }
    case .intervals: return list(text, &position, into: &item.intervals)
    case .contact, .late:
      guard let truth = truth(text, &position) else { return false }
      if key == .contact { item.contact = truth }
    case .passedOver:
      if position < text.count, text[position] == UInt8(ascii: "\"") {
        guard let range = string(text, &position), Self.isASCII(text, range) else { return false }
      } else {
        guard Self.number(text, &position) != nil else { return false }
      }
    }
    return true
  }

  /// The number of a text, which is that of the item before nearly always; `nil` where it is no UTF-8.
  private mutating func number(of text: Span<UInt8>, _ range: Range<Int>, _ kind: Key) -> Int? {
    if let last = last[kind.rawValue], Self.isEqual(text, range, last.bytes) { return last.number }
    let bytes = range.map { text[$0] }
    guard let string = String(validating: bytes, as: UTF8.self) else { return nil }
    let number = number(of: string)
    last[kind.rawValue] = (bytes, number)
    return number
  }

  private static func key(_ text: Span<UInt8>, _ name: Range<Int>) -> Int? {
    keys.indices.first { isEqual(text, name, keys[$0].name) }
  }

  private static func isEqual(_ text: Span<UInt8>, _ range: Range<Int>, _ bytes: [UInt8]) -> Bool {
    guard range.count == bytes.count else { return false }
    for index in bytes.indices where text[range.lowerBound + index] != bytes[index] { return false }
    return true
  }

  private static func isASCII(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
    for index in range where text[index] >= 0x80 { return false }
    return true
  }

  private static func date(_ text: Span<UInt8>, _ range: Range<Int>) -> WallTime? {
    WallTime(String(decoding: range.map { text[$0] }, as: UTF8.self))
  }

  /// The bytes of a string without escapes.
  private func string(_ text: Span<UInt8>, _ position: inout Int) -> Range<Int>? {
    guard take(text, &position, "\"") else { return nil }
    let start = position
    while position < text.count, case let byte = text[position], byte != UInt8(ascii: "\"") {
      guard byte >= 0x20, byte != UInt8(ascii: "\\") else { return nil }
      position += 1
    }
    let end = position
    return take(text, &position, "\"") ? start..<end : nil
  }

  private static func number(_ text: Span<UInt8>, _ position: inout Int) -> Double? {
    // A leading zero may be followed by a point, or by nothing more.
    guard position < text.count, text[position] != UInt8(ascii: "-") else { return nil }
    if text[position] == UInt8(ascii: "0"), position + 1 < text.count, text[position + 1] &- UInt8(ascii: "0") < 10 {
      return nil
    }
    return Decimal.read(text, &position)
  }

  private func list(_ text: Span<UInt8>, _ position: inout Int, into list: inout [Double]) -> Bool {
    guard take(text, &position, "[") else { return false }
    if take(text, &position, "]") { return true }
    while true {
      skipSpace(text, &position)
      guard let number = Self.number(text, &position) else { return false }
      list.append(number)
      skipSpace(text, &position)
      if take(text, &position, "]") { return true }
      guard take(text, &position, ",") else { return false }
    }
  }

  private func truth(_ text: Span<UInt8>, _ position: inout Int) -> Bool? {
    for (word, truth) in [(Array("true".utf8), true), (Array("false".utf8), false)] {
      let range = position..<min(position + word.count, text.count)
      if Self.isEqual(text, range, word) {
        position = range.upperBound
        return truth
      }
    }
    return nil
  }

  private func skipSpace(_ text: Span<UInt8>, _ position: inout Int) {
    while position < text.count, case let byte = text[position],
      byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    { position += 1 }
  }

  private func take(_ text: Span<UInt8>, _ position: inout Int, _ character: Unicode.Scalar) -> Bool {
    guard position < text.count, text[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }
}
