import Basics

/// Parsers for parts of JSON objects that build no tree: strings without escapes, numbers, booleans, lists.
///
/// Each parses at a position and moves past what it has parsed. `nil` and `false` mean anything else, valid or not,
/// which a strict parser must judge; the position is then undefined.
package enum FlatJSON: Sendable {
  /// Skips white space.
  package static func skipSpace(_ text: Span<UInt8>, _ position: inout Int) {
    while position < text.count, case let byte = text[position],
      byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    { position += 1 }
  }

  /// Skips an expected character.
  ///
  /// - Returns: whether the character is at the position.
  package static func take(_ text: Span<UInt8>, _ position: inout Int, _ character: Unicode.Scalar) -> Bool {
    guard position < text.count, text[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// Skips an expected text.
  ///
  /// - Returns: whether the text is at the position.
  package static func skip(_ text: Span<UInt8>, _ position: inout Int, _ expected: StaticString) -> Bool {
    let range = position..<position + expected.utf8CodeUnitCount
    guard range.upperBound <= text.count, isEqual(text, range, expected) else { return false }
    position = range.upperBound
    return true
  }

  /// Parses a string; returns the range between its quotes.
  package static func string(_ text: Span<UInt8>, _ position: inout Int) -> Range<Int>? {
    guard take(text, &position, "\"") else { return nil }
    let start = position
    while position < text.count, case let byte = text[position], byte != UInt8(ascii: "\"") {
      guard byte >= 0x20, byte != UInt8(ascii: "\\") else { return nil }
      position += 1
    }
    let end = position
    return take(text, &position, "\"") ? start..<end : nil
  }

  /// Parses a number.
  package static func number(_ text: Span<UInt8>, _ position: inout Int) -> Double? {
    // A leading zero may be followed only by a decimal point or the end of the number.
    let first = position < text.count && text[position] == UInt8(ascii: "-") ? position + 1 : position
    if first + 1 < text.count, text[first] == UInt8(ascii: "0"), text[first + 1] &- UInt8(ascii: "0") < 10 {
      return nil
    }
    return Decimal.read(text, &position)
  }

  /// Parses a list of numbers and appends them to `list`.
  package static func numbers(_ text: Span<UInt8>, _ position: inout Int, into list: inout [Double]) -> Bool {
    guard take(text, &position, "[") else { return false }
    skipSpace(text, &position)
    if take(text, &position, "]") { return true }
    while true {
      skipSpace(text, &position)
      guard let number = number(text, &position) else { return false }
      list.append(number)
      skipSpace(text, &position)
      if take(text, &position, "]") { return true }
      guard take(text, &position, ",") else { return false }
    }
  }

  /// Parses `true` or `false`.
  package static func truth(_ text: Span<UInt8>, _ position: inout Int) -> Bool? {
    if skip(text, &position, "true") { return true }
    return skip(text, &position, "false") ? false : nil
  }

  package static func isEqual(_ text: Span<UInt8>, _ range: Range<Int>, _ word: StaticString) -> Bool {
    guard range.count == word.utf8CodeUnitCount else { return false }
    return word.withUTF8Buffer { buffer in
      for index in 0..<buffer.count where unsafe text[range.lowerBound + index] != buffer[index] { return false }
      return true
    }
  }
}
