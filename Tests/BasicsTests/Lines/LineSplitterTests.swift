import Basics
import Testing

@Suite("A splitter of lines")
struct LineSplitterTests {
  private func split(_ pieces: [[UInt8]], endsAtCR: Bool = false) -> [String?] {
    var splitter = LineSplitter(endsAtCR: endsAtCR)
    var lines: [String?] = []
    func keep(_ number: Int, _ line: Span<UInt8>?) {
      #expect(number == lines.count + 1)
      var bytes: [UInt8] = []
      if let line { for index in line.indices { bytes.append(line[index]) } }
      lines.append(line == nil ? nil : String(decoding: bytes, as: UTF8.self))
    }
    for piece in pieces { splitter.take(piece.span) { keep($0, $1) } }
    splitter.end { keep($0, $1) }
    return lines
  }

  @Test("finds the same lines wherever the stream is cut")
  func cuts() {
    let text = Array("72\r\n\n73,830\n\r\nlast".utf8)
    for first in 0...text.count {
      for second in first...text.count {
        let pieces = [Array(text[..<first]), Array(text[first..<second]), Array(text[second...])]
        #expect(split(pieces) == ["72", "", "73,830", "", "last"])
      }
    }
  }

  @Test("passes over what is too long, and goes on after it", arguments: [1, 1000, 65_536, 300_000])
  func long(piece: Int) {
    let longest = LineSplitter.maxLength
    var text = Array("72\n".utf8)
    text += Array(repeating: UInt8(ascii: "x"), count: longest) + Array("\r\n".utf8)
    text += Array(repeating: UInt8(ascii: "x"), count: longest + 1) + Array("\n".utf8)
    text += Array(repeating: UInt8(ascii: "x"), count: 5 * longest) + Array("\n73".utf8)
    let pieces = stride(from: 0, to: text.count, by: piece).map { Array(text[$0..<min($0 + piece, text.count)]) }
    let lines = split(pieces)
    #expect(lines.map { $0?.utf8.count } == [2, longest, nil, nil, 2])
  }

  @Test("Takes CR, LF or both for one end where a file of an old spreadsheet is read, wherever it is cut")
  func everyEnd() {
    let text = Array("72\r73\r\n\n\r74".utf8)
    for cut in 0...text.count {
      #expect(split([Array(text[..<cut]), Array(text[cut...])], endsAtCR: true) == ["72", "73", "", "", "74"])
    }
  }
}
