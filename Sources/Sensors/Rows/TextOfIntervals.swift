import Basics
import Recordings

/// A text without a header that has one interval a line, in milliseconds, as `station analyse` reads it.
enum TextOfIntervals {
  /// Whether single numbers are intervals: in the middle they are a heart's; else they are rates or something else.
  static func areIntervals(_ numbers: [Double]) -> Bool {
    numbers.isEmpty ? false : HeartInterval.plausible.contains(numbers.sorted()[numbers.count / 2])
  }

  /// The numbers with which a text of single numbers begins, with their lines; `nil` for another kind of text.
  ///
  /// - Parameters:
  ///   - head: its first bytes.
  ///   - isWhole: whether there are no others; else the last line may be cut off.
  /// - Returns: one at least, whatever they are.
  static func numbers(_ head: [UInt8], isWhole: Bool) -> [(number: Double, line: Int)]? {
    var numbers: [(number: Double, line: Int)] = []
    var splitter = LineSplitter(endsAtCR: true)
    var hasOther = false
    func look(_ line: Span<UInt8>?, _ place: Int) {
      guard !hasOther else { return }
      guard let line else {
        hasOther = true
        return
      }
      guard let content = content(of: line) else { return }
      if let number = number(line.extracting(content)) {
        numbers.append((number, place))
      } else {
        hasOther = numbers.isEmpty
      }
    }
    splitter.take(head.span) { look($1, $0) }
    if isWhole { splitter.end { look($1, $0) } }
    return hasOther || numbers.isEmpty ? nil : numbers
  }

  /// Reads a line; what follows a `#` is passed over.
  static func read(_ line: Span<UInt8>) -> Row {
    guard let place = content(of: line) else { return .nothing }
    let text = line.extracting(place)
    guard let number = number(text) else { return .unreadable("\(excerpt(text)) is not a number") }
    var sample = Sample(rrIntervals: [number])
    if let complaint = sample.check() { return .unreadable(complaint) }
    return .sample(sample)
  }

  /// Where something stands in a line before a comment, without blanks around it; `nil` for nothing, and for pandas' way to write that.
  private static func content(of line: Span<UInt8>) -> Range<Int>? {
    let hasMark = line.count >= 3 && line[0] == 0xEF && line[1] == 0xBB && line[2] == 0xBF
    var start = hasMark ? 3 : 0
    var end = start
    while end < line.count, line[end] != UInt8(ascii: "#") { end += 1 }
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
    while start < end, isBlank(line[start]) { start += 1 }
    while end > start, isBlank(line[end - 1]) { end -= 1 }
    let isQuotes = end - start == 2 && line[start] == UInt8(ascii: "\"") && line[start + 1] == UInt8(ascii: "\"")
    return start == end || isQuotes ? nil : start..<end
  }

  /// The number of a text, with a point or a comma; `nil` for others, and for an interval beside its rate: `812,74`.
  private static func number(_ text: Span<UInt8>) -> Double? {
    if let number = Decimal.number(text) { return number }
    guard let number = Decimal.number(text, comma: true),
      let comma = text.indices.first(where: { text[$0] == UInt8(ascii: ",") }), comma + 1 < text.count,
      let before = Decimal.number(text.extracting(0..<comma)),
      let after = Decimal.number(text.extracting((comma + 1)..<text.count))
    else { return nil }
    return (after * before / 60_000 - 1).magnitude < 0.15 ? nil : number
  }
}
