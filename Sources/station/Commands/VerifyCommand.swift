import Analysis
import Basics
import Bundles
import Recordings

/// `station verify BUNDLE|RESULTS|ARCHIVE…`: checks that bundles are complete, unchanged, and agree with their journals.
struct VerifyCommand: Command {
  static let syntax = CommandSyntax(
    "verify", operands: "BUNDLE|RESULTS|ARCHIVE…", count: 1...1_000_000,
    "checks that bundles, all in a results folder, or archives are complete and unchanged",
    options: [
      .init("results", value: "FOLDER", "the results folder of trials named by identifier (default: results)"),
      .init("key", value: "KEY", "also check that this key, by its name or in a file, has signed them"),
      KeysCommand.keysOption,
      .init("identity", value: "FILE", "the age key that decrypts archives"),
      .init("json", "print one JSON array"),
    ])

  /// The maximum number of problems printed per bundle; the others are counted.
  private static let maxCount = 50

  let paths: [String]
  private let key: String?
  private let keys: KeyFolder?
  private let identity: String?
  let isJSON: Bool

  init(_ arguments: Arguments) throws {
    paths = try arguments.trialOperands()
    key = arguments["key"]
    keys = key == nil ? nil : try KeysCommand.folder(arguments)
    identity = arguments["identity"]
    isJSON = arguments.has("json")
  }

  func run() async throws -> ExitStatus {
    var status = ExitStatus.done
    var documents: [JSONValue] = []
    let key = try key.flatMap { try keys?.publicKey($0) }
    for operand in paths {
      for path in try Self.bundles(of: operand) {
        let check =
          Folder.isOrdinaryFile(path)
          ? BundleCheck(archive: path, identity: identity, key: key) : BundleCheck(folder: path, key: key)
        if isJSON { documents.append(Self.json(path, check)) } else { Self.tell(path, check, key) }
        if !check.isWhole { status = .failed }
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

  private static func tell(_ path: String, _ check: BundleCheck, _ key: VerifyingKey?) {
    let (path, problems) = (path.visible, check.problems)
    if check.isWhole {
      let signature =
        switch check.signature {
        case .valid: "; signed by \(key?.fingerprint ?? "")"
        case .unchecked(let fingerprint): "; signed by \(fingerprint ?? "a key"), which --key would check"
        default: ""
        }
      Console.standard.line("\(path): OK: complete, checksums match\(signature)")
    }
    for problem in problems.prefix(maxCount) { Console.standard.report("\(path): \(problem)") }
    if problems.count > maxCount {
      Console.standard.report("\(path): … and \((problems.count - maxCount).counted("more problem"))")
    }
  }

  private static func json(_ path: String, _ check: BundleCheck) -> JSONValue {
    [
      "path": .string(path), "isWhole": .bool(check.isWhole), "problems": .array(check.problems.map { .string($0) }),
      "signature": .text(check.signature?.code),
    ]
  }
}
