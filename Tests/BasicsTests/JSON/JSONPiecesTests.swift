import Basics
import TestSupport
import Testing

@Suite("Cutting JSON into values")
struct JSONPiecesTests {
  /// The values of a text that comes in pieces of so many bytes, and why no more can follow.
  private func values(_ text: String, key: String? = nil, pieces size: Int) -> (
    texts: [String], fault: JSONPieces.Fault?
  ) {
    var pieces = JSONPieces(elementsOf: key)
    let bytes = Array(text.utf8)
    var texts: [String] = []
    var start = 0
    repeat {
      let end = min(start + size, bytes.count)
      let (found, fault) = pieces.take(Array(bytes[start..<end]), isLast: end == bytes.count)
      texts += found.map { String(decoding: $0.text, as: UTF8.self) }
      if let fault { return (texts, fault) }
      start = end
    } while start < bytes.count
    return (texts, nil)
  }

  @Test(
    "gives the elements under a key, wherever the text is cut",
    arguments: [
      #"{"items":[{"a":1},{"b":[2,"],}"]}]}"#,
      #"{"name":{"items":[9]},"items":[{"a":1},{"b":[2,"],}"]}],"more":[3,{}]}"#,
      "\u{FEFF}{\n  \"x\": \"items\",\n  \"items\" : [\n {\"a\":1} ,\n{\"b\":[2,\"],}\"]}\n]\n}\n",
      #"{"q":"\"items\":[\\","items":[{"a":1},{"b":[2,"],}"]}]}"#, #"[{"a":1},{"b":[2,"],}"]}]"#,
    ])
  func underKey(text: String) {
    for size in [1, 2, 3, 7, 1000] {
      let (texts, fault) = values(text, key: "items", pieces: size)
      #expect(fault == nil)
      #expect(texts == [#"{"a":1}"#, #"{"b":[2,"],}"]}"#], "in pieces of \(size)")
    }
  }

  @Test("gives whole values where no object has the key", arguments: ["{\"a\":1}\n{\"b\":2}\n", "{\"a\":1}{\"b\":2}"])
  func withoutKey(text: String) {
    for size in [1, 5, 1000] {
      #expect(values(text, key: "items", pieces: size).texts == [#"{"a":1}"#, #"{"b":2}"#])
    }
  }

  @Test(
    "says where a text breaks off or goes wrong",
    arguments: [
      (#"{"items":[{"a":1},{"b""#, "the file ends in the middle"),
      (#"{"items":[{"a":1},2"#, "the file ends in the middle"),
      (#"{"items":[{"a":1},{}}"#, "a } where the ] of the array was expected"),
      (#"{"items":[{"a":1}],"items":[{"a":1}]}"#, "is given twice"),
      (#"{"items":[{"a":1}]}}"#, "a bracket that nothing opens"),
    ])
  func broken(text: String, reason: String) throws {
    for size in [1, 1000] {
      let (texts, fault) = values(text, key: "items", pieces: size)
      #expect(texts.first == #"{"a":1}"#)
      #expect(try #require(fault).reason.contains(reason))
    }
  }

  @Test("tells the line of each value")
  func lines() {
    var pieces = JSONPieces(elementsOf: "items")
    let text = "{\"items\":[\n{\"a\":1},\n\n{\"b\":\n2}]}"
    #expect(pieces.take(Array(text.utf8), isLast: true).pieces.map(\.line) == [2, 4])
  }
}
