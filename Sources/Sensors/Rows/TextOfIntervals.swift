import Basics
import Recordings

/// A text without a header that has one interval per line, in milliseconds, as `station analyse` reads it.
enum TextOfIntervals {
  /// Whether single numbers are intervals: their median is a plausible one; otherwise they are rates or something else.
  static func areIntervals(_ numbers: [Double]) -> Bool {
    numbers.isEmpty ? false : HeartInterval.plausible.contains(numbers.sorted()[numbers.count / 2])
  }

  /// The numbers at the beginning of a text of single numbers, with their lines; `nil` for another kind of text.
  ///
  /// - Parameters:
  ///   - head: the file's first bytes.
  ///   - isWhole: whether these are all its bytes; otherwise the last line may be truncated.
  /// - Returns: at least one number, plausible or not.
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
      guard let content = IntervalLine.content(of: line) else { return }
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

  /// Parses a line; text after a `#` is ignored.
  static func read(_ line: Span<UInt8>) -> Row {
    guard let place = IntervalLine.content(of: line) else { return .nothing }
    let text = line.extracting(place)
    guard let number = number(text) else { return .unreadable("\(excerpt(text)) is not a number") }
    return Row(checking: Sample(rrIntervals: [number]))
  }

  /// Parses a number with a decimal point or comma; `nil` for other text, and for an interval beside its rate:
  /// `812,74`.
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
