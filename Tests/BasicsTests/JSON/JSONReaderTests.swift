import Basics
import Testing

@Suite("Reading JSON")
struct JSONReaderTests {
  private static let readable: [(String, JSONValue)] = [
    ("null", .null), (" \t\r\n true \n", true), ("false", false),
    ("0", 0), ("-0", 0), ("-1", -1), ("30.5", 30.5), ("1e3", 1000), ("1E+3", 1000), ("25e-1", 2.5), ("0e5", 0),
    ("9007199254740991", 9_007_199_254_740_991), ("1e-400", 0),
    ("123456789012345678901234567890", 1.2345678901234568e29),
    (#""""#, ""), (#""é€😀""#, "é€😀"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
    (#""\u0041\u00e9\u00E9""#, "Aéé"), (#""\uD83D\uDE00!""#, "😀!"), (#""\u0000""#, "\0"),
    ("\"\u{7F}\u{2028}\"", "\u{7F}\u{2028}"),
    (#""a\nb\nc""#, "a\nb\nc"), ("[]", []), ("[ ]", []), ("[1,[2,[]]]", [1, [2, []]]), ("{}", [:]), ("{ }", [:]),
    (#"{"":{"a":[null]}}"#, ["": ["a": [.null]]]), (#"{ "b" : 1 , "a" : 2 }"#, ["a": 2, "b": 1]),
  ]

  @Test("What RFC 8259 allows is read", arguments: readable)
  func good(text: String, value: JSONValue) throws {
    #expect(try JSONReader.read(Array(text.utf8)).value == value)
  }

  @Test(
    "What is not JSON is refused at its place, with its reason",
    arguments: [
      ("", "1:1: nothing but white space; expected a JSON value"),
      (" \n\t ", "2:3: nothing but white space; expected a JSON value"),
      ("\u{FEFF}{}", "1:1: a byte order mark, which JSON does not have; save the file as UTF-8 without it"),
      ("[1,]", "1:4: a comma before ]; JSON has no trailing commas"),
      ("{\n  \"a\": 1,\n}", "3:1: a comma before }; JSON has no trailing commas"),
      ("[,1]", "1:2: /0: expected a value, found “,”"),
      ("[1 2]", "1:4: expected , or ] after an element, found “2”"),
      (#"["a" "b"]"#, "1:6: expected , or ] after an element, found “\"”; a comma is missing before it"),
      (#"{"a":1 "b":2}"#, "1:8: expected , or } after the member “a”, found “\"”; a comma is missing before it"),
      (#"{"a" 1}"#, "1:6: expected : after the key “a”, found “1”"),
      (#"{"a":}"#, "1:6: /a: expected a value, found “}”"),
      (
        #"{"steps":[{"é": 'x'}]}"#,
        "1:17: /steps/0/é: expected a value, found “'”; strings and keys stand in straight double quotes"
      ),
      ("{a:1}", "1:2: expected a key in double quotes, found “a”"),
      ("{“a”:1}", "1:2: expected a key in double quotes, found ““”; strings and keys stand in straight double quotes"),
      ("{1:2}", "1:2: expected a key in double quotes, found “1”"),
      ("[1", "1:3: the text ends where , or ] after an element was expected"),
      ("[", "1:2: /0: the text ends where a value was expected"),
      (#"{"a"#, "1:2: this string has no closing quote"),
      (#"{"a""#, "1:5: the text ends where : after the key “a” was expected"),
      ("{", "1:2: the text ends where a key in double quotes was expected"),
      ("{} {}", "1:4: expected nothing more after the value, found “{”"),
      ("tru", "1:1: expected a value, found “tru”"),
      ("True", "1:1: expected a value, found “True”; true, false and null are written in lower case"),
      ("truest", "1:5: expected nothing more after the value, found “st”"),
      ("NaN", "1:1: expected a value, found “NaN”; JSON has no such number"),
      ("-Infinity", "1:2: expected a digit"),
      ("Infinity", "1:1: expected a value, found “Infinity”; JSON has no such number"),
      ("+1", "1:1: expected a value, found “+”; a number has no plus sign"),
      (".5", "1:1: expected a value, found “.”; a number begins with a digit: 0.5, not .5"),
      ("1.", "1:3: expected a digit after the decimal point"), ("1e", "1:3: expected a digit in the exponent"),
      ("-", "1:2: expected a digit"), ("01", "1:2: a number may not begin with 0 and go on"),
      ("-012", "1:3: a number may not begin with 0 and go on"),
      ("0x1F", "1:2: expected nothing more after the value, found “x”"),
      ("1e400", "1:1: the number 1e400 is out of range"),
      ("// hi\n1", "1:1: expected a value, found “/”; JSON has no comments; a key that begins with x- may hold one"),
      (
        "\"a\nb\"",
        "1:1: this string is not closed on its line; add the closing quote, or write a line break in it as \\n"
      ),
      (
        "{\"a\": \"b,\r\n\"c\": 1}",
        "1:7: /a: this string is not closed on its line; add the closing quote, or write a line break in it as \\n"
      ),
      ("\"a\u{1F}\"", "1:3: a control character in a string; write it as \\u001f"),
      (#""a"#, "1:1: this string has no closing quote"),
      (#""a\"#, "1:3: no escape begins like this; a backslash is written \\\\"),
      (#""C:\dir""#, "1:4: no escape begins like this; a backslash is written \\\\"),
      (#""\u12G4""#, "1:6: expected four hexadecimal digits after \\u"),
      (#""\u12"#, "1:6: expected four hexadecimal digits after \\u"),
      (#""\uD83D""#, "1:2: half a surrogate pair; a character above U+FFFF is written as two escapes"),
      (#""\uDE00""#, "1:2: half a surrogate pair; a character above U+FFFF is written as two escapes"),
      (#""\uD83D\u0041""#, "1:2: half a surrogate pair; a character above U+FFFF is written as two escapes"),
      (#""\uD83D\n""#, "1:2: half a surrogate pair; a character above U+FFFF is written as two escapes"),
      ("[\u{0}]", "1:2: /0: expected a value, found the byte 0x00"),
      ("[\"😀é\", x]", "1:8: /1: expected a value, found “x”"),
    ])
  func bad(text: String, problem: String) throws {
    #expect(complaints(about: Array(text.utf8)) == [problem])
  }

  @Test(
    "Bytes that are not UTF-8 are refused",
    arguments: [
      [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
      [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22],
      [0x22, 0xE2, 0x82, 0x22], [0x22, 0x5C, 0x6E, 0x80, 0x22],
    ] as [[UInt8]])
  func notUTF8(text: [UInt8]) {
    #expect(complaints(about: text) == ["1:1: this string is not valid UTF-8"])
  }

  @Test(
    "Unicode of two or four bytes a character is told, with and without its mark",
    arguments: [
      ([0xFF, 0xFE, 0x7B, 0], "UTF-16"), ([0x7B, 0, 0x7D, 0], "UTF-16"), ([0, 0x7B, 0, 0x7D], "UTF-16"),
      ([0xFF, 0xFE, 0, 0, 0x7B, 0, 0, 0], "UTF-32"), ([0x7B, 0, 0, 0], "UTF-32"), ([0, 0, 0, 0x7B], "UTF-32"),
      ([0, 0, 0xFE, 0xFF, 0, 0, 0, 0x7B], "UTF-32"),
    ] as [([UInt8], String)])
  func wide(text: [UInt8], name: String) {
    #expect(complaints(about: text) == ["1:1: the text is \(name); save the file as UTF-8"])
  }

  @Test("A number that no double holds is reported as it is written")
  func written() throws {
    #expect(try JSONReader.read(Array("9007199254740993".utf8)).phrase == "the number 9007199254740993")
    #expect(try JSONReader.read(Array("72.50".utf8)).phrase == "the number 72.5")
  }

  @Test("Keys that differ in their Unicode normalisation are two")
  func normalisation() throws {
    let node = try JSONReader.read(Array("{\"caf\u{E9}\": 1, \"cafe\u{301}\": 2}".utf8))
    guard case .object(let members) = node.content else { return #expect(Bool(false)) }
    #expect(members.count == 2)
    #expect(members.map { $0.key.utf8.count } == [5, 6])
  }

  @Test("A byte outside strings that is not UTF-8 is named")
  func strayByte() {
    #expect(complaints(about: [0x5B, 0xFE, 0x5D]) == ["1:2: /0: expected a value, found the byte 0xfe"])
  }

  @Test("Every key that is given twice is reported, with its path")
  func duplicates() {
    let text = """
      { "a": {"b": 1, "b": 2}, "c": [ {"d": 1, "\\u0064": 2, "d": 3} ],
        "a": 3 }
      """
    #expect(
      complaints(about: Array(text.utf8)) == [
        "1:17: /a/b: the key “b” is given twice in this object; keep one of them",
        "1:42: /c/0/d: the key “d” is given twice in this object; keep one of them",
        "1:55: /c/0/d: the key “d” is given twice in this object; keep one of them",
        "2:3: /a: the key “a” is given twice in this object; keep one of them",
      ])
  }

  @Test("The first of equal keys counts for a reader who wants to go on")
  func firstOfDuplicates() throws {
    let (node, duplicates) = try JSONReader.readWithDuplicates(Array(#"{"a": 1, "a": 2}"#.utf8))
    #expect(node.value == ["a": 1])
    #expect(duplicates.map(\.offset) == [9])
  }

  @Test("Nesting is bounded at 64, and 100,000 open brackets do no harm")
  func depth() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    _ = try JSONReader.read(nested(64))
    for depth in [65, 100_000] {
      let last = try #require(complaints(about: nested(depth)).last)
      #expect(last.hasPrefix("1:65: /0/0/") && last.hasSuffix(": nested more than 64 deep"))
    }
    let objects = String(repeating: #"{"a":"#, count: 100_000)
    #expect(complaints(about: Array(objects.utf8)).last?.hasSuffix(": nested more than 64 deep") == true)
  }

  @Test("Every value knows where it begins")
  func offsets() throws {
    let node = try JSONReader.read(Array(#" { "é": [ 1, "two" ] }"#.utf8))
    #expect(node.nearest(to: JSONPointer(["é"])).offset == 9)
    #expect(node.nearest(to: JSONPointer(["é", "1"])).offset == 14)
    #expect(node.nearest(to: JSONPointer(["é", "1", "no"])).offset == 14)
    #expect(node.nearest(to: JSONPointer(["no"])).offset == 1)
  }

  private func complaints(about text: [UInt8]) -> [String] {
    do throws(JSONProblems) {
      _ = try JSONReader.read(text)
      return []
    } catch {
      return error.problems.map { problem in
        let path = problem.path == .root ? "" : "\(problem.path): "
        return "\(TextPlace(offset: problem.offset, in: text)): \(path)\(problem.reason)"
      }
    }
  }
}
