import Basics
import Testing

@Suite("Writing JSON")
struct JSONWriterTests {
  private static let texts: [(JSONValue, String)] = [
    (.null, "null"), (true, "true"), (0, "0"), (.number(-0.0), "0"), (72, "72"), (72.5, "72.5"),
    (.number(0.1 + 0.2), "0.30000000000000004"), (.number(1e16), "1e+16"), (.number(.leastNonzeroMagnitude), "5e-324"),
    (.number(9_007_199_254_740_992), "9007199254740992"),
    (.number(.greatestFiniteMagnitude), "1.7976931348623157e+308"),
    ("a/b", #""a/b""#), ("\"\\\n\r\t\u{8}\u{0}\u{1F}", #""\"\\\n\r\t\u0008\u0000\u001f""#),
    ("é😀\u{7F}", "\"é😀\u{7F}\""),
    ([], "[]"), ([1, "a"], #"[1,"a"]"#), ([:], "{}"),
    (["b": 1, "a": 2, "B": 3, "é": 4, "": 5, "aa": 6], #"{"":5,"B":3,"a":2,"aa":6,"b":1,"é":4}"#),
  ]

  @Test("A value has one text", arguments: texts)
  func compact(value: JSONValue, text: String) {
    #expect(value.text() == text)
  }

  @Test("The pretty text has two spaces of indentation and ends with a newline")
  func pretty() {
    let value: JSONValue = ["b": [1, [:]], "a": ["c": []]]
    #expect(
      value.text(pretty: true) == """
        {
          "a": {
            "c": []
          },
          "b": [
            1,
            {}
          ]
        }

        """)
  }

  @Test("What is written reads back as the same value", arguments: 0..<200)
  func roundTrip(seed: Int) throws {
    var random = TestRandom(seed: seed)
    let value = random.json(depth: 5)
    #expect(try JSONReader.read(value.encoded()).value == value)
    #expect(try JSONReader.read(value.encoded(pretty: true)).value == value)
    #expect(value.encoded() == (try JSONReader.read(value.encoded(pretty: true)).value.encoded()))
  }
}

/// A small generator (Lehmer, 48 bits as in POSIX `lrand48`) that makes the same test data everywhere.
struct TestRandom {
  private var state: UInt64

  init(seed: Int) {
    state = UInt64(seed) << 16 | 0x330E
    for _ in 0..<4 { _ = below(2) }
  }

  mutating func below(_ bound: Int) -> Int {
    state = (state &* 0x5DEE_CE66D &+ 0xB) & 0xFFFF_FFFF_FFFF
    return Int(state >> 17) % bound
  }

  mutating func json(depth: Int) -> JSONValue {
    switch below(depth > 0 ? 7 : 5) {
    case 0: .null
    case 1: .bool(below(2) == 0)
    case 2: .integer(below(2_000_000) - 1_000_000)
    case 3: .number(Double(below(1 << 30)) / Double(1 + below(1 << 20)))
    case 4: .string(text())
    case 5: .array((0..<below(5)).map { _ in json(depth: depth - 1) })
    default: .object(Dictionary((0..<below(5)).map { _ in (text(), json(depth: depth - 1)) }) { first, _ in first })
    }
  }

  mutating func text() -> String {
    let letters: [Character] = ["a", "b", "\"", "\\", "/", "\n", "\u{1}", "\u{7F}", "é", "€", "😀", "\u{2028}", " "]
    return String((0..<below(12)).map { _ in letters[below(letters.count)] })
  }
}
