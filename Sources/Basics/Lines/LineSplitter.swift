/// Splits a stream of bytes into numbered lines, in bounded memory.
package struct LineSplitter: Sendable {
  /// The maximum length of a line in bytes without its break; longer lines are skipped.
  package static let maxLength = 65_536

  /// The number of complete lines so far.
  package private(set) var count: Int
  private var carried: [UInt8] = []
  private var isOverlong = false
  private let endsAtCR: Bool
  private var hasJustEndedAtCR = false

  /// Creates a splitter whose first line has the number after `count`.
  ///
  /// - Parameters:
  ///   - count: the number of lines before.
  ///   - endsAtCR: whether a CR alone ends a line, as in files of old spreadsheets.
  package init(after count: Int = 0, endsAtCR: Bool = false) {
    self.count = count
    self.endsAtCR = endsAtCR
  }

  /// Whether bytes of an unfinished line are buffered.
  package var hasUnfinished: Bool { isOverlong || !carried.isEmpty }

  /// Calls `each` with every line that the bytes complete, without its LF or CRLF; `nil` for a line that was too long.
  package mutating func take(_ bytes: Span<UInt8>, each: (_ number: Int, _ line: Span<UInt8>?) -> Void) {
    let start = endsAtCR ? cutAtEveryEnd(bytes, each) : cutAtLF(bytes, each)
    guard start < bytes.count, !isOverlong else { return }
    // One byte more, for a CR that does not count.
    if carried.count + bytes.count - start > Self.maxLength + 1 {
      isOverlong = true
      carried = []
    } else {
      for index in start..<bytes.count { carried.append(bytes[index]) }
    }
  }

  /// Emits the lines that end with LF; returns where the rest begins.
  private mutating func cutAtLF(_ bytes: Span<UInt8>, _ each: (_ number: Int, _ line: Span<UInt8>?) -> Void) -> Int {
    var start = 0
    for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") {
      finish(bytes.extracting(start..<index), each: each)
      start = index + 1
    }
    return start
  }

  /// Emits the lines that end with CR, LF or both; returns where the rest begins.
  private mutating func cutAtEveryEnd(
    _ bytes: Span<UInt8>, _ each: (_ number: Int, _ line: Span<UInt8>?) -> Void
  ) -> Int {
    var start = 0
    for index in bytes.indices {
      let isCR = bytes[index] == UInt8(ascii: "\r")
      let isLF = bytes[index] == UInt8(ascii: "\n")
      if isLF && hasJustEndedAtCR {
        start = index + 1
      } else if isCR || isLF {
        finish(bytes.extracting(start..<index), each: each)
        start = index + 1
      }
      hasJustEndedAtCR = isCR
    }
    return start
  }

  /// Emits the last line, which has no break at its end.
  package mutating func end(each: (_ number: Int, _ line: Span<UInt8>?) -> Void) {
    if hasUnfinished { finish(Span(), each: each) }
  }

  private mutating func finish(_ piece: Span<UInt8>, each: (_ number: Int, _ line: Span<UInt8>?) -> Void) {
    count += 1
    if carried.isEmpty, !isOverlong {
      hand(piece, each)
      return
    }
    if !isOverlong { for index in piece.indices { carried.append(piece[index]) } }
    if isOverlong { each(count, nil) } else { hand(carried.span, each) }
    isOverlong = false
    carried.removeAll(keepingCapacity: carried.capacity <= 4096)
  }

  private func hand(_ line: Span<UInt8>, _ each: (_ number: Int, _ line: Span<UInt8>?) -> Void) {
    let length = line.count > 0 && line[line.count - 1] == UInt8(ascii: "\r") ? line.count - 1 : line.count
    each(count, length > Self.maxLength ? nil : line.extracting(0..<length))
  }
}

/// The byte order mark of UTF-8, which spreadsheets write at the beginning of a file.
enum ByteOrderMark: Sendable {
  static let bytes: [UInt8] = [0xEF, 0xBB, 0xBF]
}

extension Collection<UInt8> {
  /// The text after its byte order mark; all of it if there is none.
  package var afterByteOrderMark: SubSequence {
    starts(with: ByteOrderMark.bytes) ? dropFirst(ByteOrderMark.bytes.count) : self[...]
  }
}

extension Span<UInt8> {
  /// How many bytes of its beginning are a byte order mark: three or none.
  package var byteOrderMarkLength: Int {
    let length = ByteOrderMark.bytes.count
    return count >= length && (0..<length).allSatisfy { self[$0] == ByteOrderMark.bytes[$0] } ? length : 0
  }
}
