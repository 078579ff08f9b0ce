import Basics
import Recordings

/// A place in JSON that is read exactly as it was written, without a tree; `nil` and `false` mean anything else.
protocol LineCursor {
  var bytes: [UInt8] { get }
  var position: Int { get set }
}

extension LineCursor {
  /// Skips an expected text.
  mutating func take(_ text: StaticString) -> Bool {
    let bytes = bytes
    return FlatJSON.skip(bytes.span, &position, text)
  }

  /// A whole number as they are written, without leading zeros.
  mutating func integer() -> Int64? {
    let isNegative = take("-")
    let start = position
    var value: Int64 = 0
    while position < bytes.count, (48...57).contains(bytes[position]) {
      let (tens, isBeyond) = value.multipliedReportingOverflow(by: 10)
      let (sum, isOver) = tens.addingReportingOverflow(Int64(bytes[position] - 48))
      if isBeyond || isOver { return nil }
      value = sum
      position += 1
    }
    let digits = position - start
    guard digits > 0, digits == 1 || bytes[start] != 48 else { return nil }
    return isNegative ? -value : value
  }

  mutating func number() -> Double? {
    let bytes = bytes
    return FlatJSON.number(bytes.span, &position)
  }

  /// A string without escapes.
  mutating func string() -> String? {
    let bytes = bytes
    return FlatJSON.string(bytes.span, &position).flatMap { String(validating: bytes[$0], as: UTF8.self) }
  }
}
