import Basics
import Quantities

/// A reader of items: plain ones without building a tree, any other by the strict JSON reader.
struct HeartItemReader {
  /// All texts of the items so far.
  private(set) var texts: [String] = []

  private var numbers: [String: Int] = [:]
  // The last text of each kind; the next item nearly always has the same.
  private var last = [(bytes: [UInt8], number: Int)?](repeating: nil, count: HeartItem.Key.allCases.count)

  private static let names = HeartItem.Key.allCases.map { Array($0.name.utf8) }

  /// Parses an item.
  ///
  /// - Throws: `JSONProblems` if the text is not JSON.
  mutating func read(_ text: [UInt8]) throws(JSONProblems) -> HeartItem {
    var item = HeartItem()
    if readQuickly(text.span, into: &item) { return item }
    return self.item(try JSONReader.read(text).value)
  }

  private mutating func item(_ value: JSONValue) -> HeartItem {
    var item = HeartItem()
    guard case .object(let members) = value else {
      item.fault = "it is not an object"
      return item
    }
    for key in HeartItem.Key.allCases {
      guard let value = members[key.name], value != .null else { continue }
      let isRead: Bool
      switch key {
      case .type, .unit, .source, .recorder: isRead = take(value.string, key, into: &item)
      case .endDate, .startDate:
        let date = value.string.flatMap { WallTime($0) }
        if key == .endDate { item.endDate = date } else { item.startDate = date }
        // An unreadable date counts as missing, which only matters if there is no other time.
        isRead = value.string != nil
      case .time, .value, .sequence, .senderTime: isRead = Self.take(value.number, key, into: &item)
      case .intervals:
        item.intervals = value.array?.compactMap(\.number) ?? []
        isRead = value.array?.count == item.intervals.count
      case .contact, .late:
        if key == .contact { item.contact = value.bool } else { item.isLate = value.bool ?? false }
        isRead = value.bool != nil
      case .arrived, .step: isRead = true
      }
      if !isRead, item.fault == nil { item.fault = "“\(key.name)” is not \(Self.wanted(key))" }
    }
    return item
  }

  private static func wanted(_ key: HeartItem.Key) -> String {
    switch key {
    case .intervals: "a list of numbers"
    case .contact, .late: "true or false"
    case .arrived, .senderTime, .sequence, .time, .value: "a number"
    default: "a text"
    }
  }

  private mutating func take(_ text: String?, _ key: HeartItem.Key, into item: inout HeartItem) -> Bool {
    guard let text else { return false }
    Self.set(number(of: text), key, of: &item)
    return true
  }

  private static func set(_ number: Int, _ key: HeartItem.Key, of item: inout HeartItem) {
    switch key {
    case .type: item.type = number
    case .unit: item.unit = number
    case .source: item.source = number
    default: item.recorder = number
    }
  }

  private static func take(_ number: Double?, _ key: HeartItem.Key, into item: inout HeartItem) -> Bool {
    switch key {
    case .time: item.time = number
    case .value: item.value = number
    case .sequence: item.sequence = number
    default: item.senderTime = number
    }
    return number != nil
  }

  private mutating func number(of text: String) -> Int {
    if let number = numbers[text] { return number }
    texts.append(text)
    numbers[text] = texts.count - 1
    return texts.count - 1
  }

  // MARK: The common case

  /// Parses an item with known keys, each once, unsigned numbers and strings without escapes.
  ///
  /// - Returns: `false` for anything else, valid or not.
  private mutating func readQuickly(_ text: Span<UInt8>, into item: inout HeartItem) -> Bool {
    var position = 0
    guard FlatJSON.take(text, &position, "{") else { return false }
    var (seen, expected) = (0, 0)
    var dates: (end: Range<Int>, start: Range<Int>) = (0..<0, 0..<0)
    while true {
      FlatJSON.skipSpace(text, &position)
      guard let name = FlatJSON.string(text, &position), let index = Self.key(text, name, from: expected) else {
        return false
      }
      guard seen & 1 << index == 0 else { return false }
      seen |= 1 << index
      expected = index + 1
      FlatJSON.skipSpace(text, &position)
      guard FlatJSON.take(text, &position, ":") else { return false }
      FlatJSON.skipSpace(text, &position)
      guard member(HeartItem.Key.allCases[index], text, &position, &dates, into: &item) else { return false }
      FlatJSON.skipSpace(text, &position)
      if FlatJSON.take(text, &position, ",") { continue }
      guard FlatJSON.take(text, &position, "}"), position == text.count else { return false }
      if item.time == nil {
        item.endDate = Self.date(text, dates.end)
        item.startDate = Self.date(text, dates.start)
      }
      return true
    }
  }

  private mutating func member(
    _ key: HeartItem.Key, _ text: Span<UInt8>, _ position: inout Int,
    _ dates: inout (end: Range<Int>, start: Range<Int>), into item: inout HeartItem
  ) -> Bool {
    switch key {
    case .type, .unit, .source, .recorder:
      guard let range = FlatJSON.string(text, &position), let number = number(of: text, range, key) else {
        return false
      }
      Self.set(number, key, of: &item)
    case .endDate, .startDate:
      guard let range = FlatJSON.string(text, &position) else { return false }
      if key == .endDate { dates.end = range } else { dates.start = range }
    case .time, .value, .sequence, .senderTime:
      return Self.take(FlatJSON.number(text, &position), key, into: &item)
    case .arrived: return FlatJSON.number(text, &position) != nil
    case .intervals: return FlatJSON.numbers(text, &position, into: &item.intervals)
    case .contact, .late:
      guard let truth = FlatJSON.truth(text, &position) else { return false }
      if key == .contact { item.contact = truth } else { item.isLate = truth }
    case .step:
      guard let range = FlatJSON.string(text, &position), Self.isASCII(text, range) else { return false }
    }
    return true
  }

  /// The number of a text, nearly always that of the previous item; `nil` if it is not UTF-8.
  private mutating func number(of text: Span<UInt8>, _ range: Range<Int>, _ kind: HeartItem.Key) -> Int? {
    if let last = last[kind.rawValue], Self.isEqual(text, range, last.bytes) { return last.number }
    let bytes = range.map { text[$0] }
    guard let string = String(validating: bytes, as: UTF8.self) else { return nil }
    let number = number(of: string)
    last[kind.rawValue] = (bytes, number)
    return number
  }

  // Members nearly always have the same order: the next one is tried first.
  private static func key(_ text: Span<UInt8>, _ name: Range<Int>, from expected: Int) -> Int? {
    for index in expected..<names.count where isEqual(text, name, names[index]) { return index }
    for index in 0..<expected where isEqual(text, name, names[index]) { return index }
    return nil
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
}
