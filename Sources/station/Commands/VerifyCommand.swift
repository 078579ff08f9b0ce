import Bundles
import JSON

/// `station verify BUNDLE…`: whether bundles are complete, unchanged, and say what their journals say.
struct VerifyCommand: Command {
  static let syntax = CommandSyntax(
    "verify", operands: "BUNDLE…", count: 1...1_000_000, "checks that bundles are complete and unchanged",
    options: [.init("json", "print one JSON array")])

  /// So many problems of one bundle are told people; the others are counted.
  private static let most = 50

  let paths: [String]
  let isJSON: Bool

  init(_ arguments: Arguments) {
    paths = arguments.operands
    isJSON = arguments.has("json")
  }

  func run() async throws -> ExitStatus {
    var status = ExitStatus.done
    var documents: [JSONValue] = []
    for path in paths {
      let problems = Bundle.verify(path)
      if isJSON { documents.append(Self.json(path, problems)) } else { Self.tell(path, problems) }
      if !problems.isEmpty { status = .failed }
    }
    if isJSON { Console.standard.write(JSONValue.array(documents).encoded(pretty: true)) }
    return status
  }

  private static func tell(_ path: String, _ problems: [String]) {
    if problems.isEmpty { Console.standard.line("\(path): whole and unchanged") }
    for problem in problems.prefix(most) { Console.standard.complain("\(path): \(problem)") }
    if problems.count > most {
      Console.standard.complain("\(path): … and \(problems.count - most) problems more")
    }
  }

  private static func json(_ path: String, _ problems: [String]) -> JSONValue {
    [
      "path": .string(path), "isWhole": .bool(problems.isEmpty), "problems": .array(problems.map { .string($0) }),
    ]
  }
}
