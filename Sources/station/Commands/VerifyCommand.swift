import Analysis
import Basics
import Bundles
import Recordings

/// `station verify BUNDLE|RESULTS…`: checks that bundles are complete, unchanged, and agree with their journals.
struct VerifyCommand: Command {
  static let syntax = CommandSyntax(
    "verify", operands: "BUNDLE|RESULTS…", count: 1...1_000_000,
    "checks that bundles, or all in a results folder, are complete and unchanged",
    options: [
      .init("results", value: "FOLDER", "the results folder of trials named by identifier (default: results)"),
      .init("json", "print one JSON array"),
    ])

  /// The maximum number of problems printed per bundle; the others are counted.
  private static let most = 50

  let paths: [String]
  let isJSON: Bool

  init(_ arguments: Arguments) throws {
    paths = try arguments.trialOperands()
    isJSON = arguments.has("json")
  }

  func run() async throws -> ExitStatus {
    var status = ExitStatus.done
    var documents: [JSONValue] = []
    for operand in paths {
      for path in try Self.bundles(of: operand) {
        let problems = Bundle.verify(path)
        if isJSON { documents.append(Self.json(path, problems)) } else { Self.tell(path, problems) }
        if !problems.isEmpty { status = .failed }
      }
    }
    if isJSON { Console.standard.write(JSONValue.array(documents).encoded(pretty: true)) }
    return status
  }

  /// The bundles of an operand: the operand itself, or all in a results folder.
  private static func bundles(of operand: String) throws -> [String] {
    guard TrialPaths.isMany(operand), ResultsPath(operand) != .folder else { return [operand] }
    return try TrialPaths.expand(operand)
  }

  private static func tell(_ path: String, _ problems: [String]) {
    let path = path.visible
    if problems.isEmpty { Console.standard.line("\(path): OK: complete, checksums match") }
    for problem in problems.prefix(most) { Console.standard.report("\(path): \(problem)") }
    if problems.count > most {
      Console.standard.report("\(path): … and \((problems.count - most).counted("more problem"))")
    }
  }

  private static func json(_ path: String, _ problems: [String]) -> JSONValue {
    [
      "path": .string(path), "isWhole": .bool(problems.isEmpty), "problems": .array(problems.map { .string($0) }),
    ]
  }
}
