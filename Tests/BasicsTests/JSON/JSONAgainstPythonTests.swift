import Basics
import TestSupport
import Testing

/// Python's `json` is another implementation; where we refuse what it reads, we do so on purpose.
@Suite("Reading JSON as Python does")
struct JSONAgainstPythonTests {
  @Test("Accepted and refused alike, and the same values")
  func agreement() throws {
    let texts = Self.texts()
    let input = texts.map { text in text.map { String(Int($0) + 256, radix: 16).dropFirst() }.joined() }.joined(
      separator: "\n")
    let run = try Program.run(Repository.python, ["-c", Self.script], input: input)
    try #require(run.status == 0, "\(run.error)")
    let theirs = run.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    try #require(theirs.count == texts.count + 1)
    var accepted = 0
    for (text, their) in zip(texts, theirs) {
      let shown = String(decoding: text, as: UTF8.self)
      do throws(JSONProblems) {
        let ours = Self.canonical(try JSONReader.read(text))
        #expect(ours == their, "\(shown)")
        accepted += 1
      } catch {
        let onPurpose = error.problems.allSatisfy { problem in
          Self.stricter.contains { problem.reason.contains($0) }
        }
        #expect(their == "refused" || onPurpose, "\(shown): \(error)")
      }
    }
    // The mutations are gentle enough for both outcomes to be frequent.
    #expect(accepted > texts.count / 10 && accepted < texts.count * 9 / 10)
  }

  /// What we say where we are stricter than Python: NaN and the infinities, numbers above a double, half pairs,
  /// equal keys, deep nesting.
  private static let stricter = [
    "found “NaN”", "found “Infinity”", "expected a digit", "out of range", "half a surrogate pair", "is given twice",
    "nested more",
  ]

  /// Texts that were made at random, and the same with a few bytes changed.
  private static func texts() -> [[UInt8]] {
    let pieces: [[UInt8]] = [
      "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud83d", "\\ude00", "\\n", "0", "-", "1", "e5", ".", "true",
      "null",
      " ", "\n", "\u{0}", "é", "/", "'", "NaN", "\t", "\u{FEFF}", "1E400", "\u{85}", "\u{A0}", "\u{C}",
    ].map { Array($0.utf8) }
    var random = TestRandom(seed: 1)
    return (0..<3000).map { _ in
      var text = random.json(depth: 4).encoded(pretty: random.below(2) == 0)
      for _ in 0..<random.below(3) {
        let place = random.below(text.count + 1)
        switch random.below(4) {
        case 0: text.insert(contentsOf: pieces[random.below(pieces.count)], at: place)
        case 1 where place < text.count: text.remove(at: place)
        case 2 where place < text.count: text[place] = UInt8(random.below(256))
        default: text.insert(contentsOf: pieces[random.below(12)], at: place)
        }
      }
      return text
    }
  }

  /// A value as text in which numbers are the bits of a double and strings are bytes.
  private static func canonical(_ node: JSONNode) -> String {
    func hexadecimal(_ text: String) -> String {
      text.utf8.map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
    }
    return switch node.content {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let value): "n" + String(value.bitPattern, radix: 16)
    case .string(let value): "s" + hexadecimal(value)
    case .array(let elements): "[" + elements.map(canonical).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { hexadecimal($0.key) + ":" + canonical($0.value) }.joined(separator: ",") + "}"
    }
  }

  private static let script = """
    import json, struct, sys

    def canonical(value):
        if value is None or value is True or value is False:
            return {None: "null", True: "true", False: "false"}[value]
        if isinstance(value, (int, float)):
            return "n%x" % struct.unpack("<Q", struct.pack("<d", float(value)))[0]
        if isinstance(value, str):
            return "s" + value.encode("utf-8", "surrogatepass").hex()
        if isinstance(value, list):
            return "[" + ",".join(map(canonical, value)) + "]"
        return "{" + ",".join(k.encode("utf-8", "surrogatepass").hex() + ":" + canonical(v) for k, v in value.items) + "}"

    class Members:
        def __init__(self, items): self.items = items

    for line in sys.stdin.read().split("\\n"):
        try:
            text = bytes.fromhex(line).decode("utf-8")
            print(canonical(json.loads(text, object_pairs_hook=Members, parse_int=float)))
        except (ValueError, RecursionError):
            print("refused")
    """
}
