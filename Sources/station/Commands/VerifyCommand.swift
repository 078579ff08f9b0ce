import Bundles

/// `station verify BUNDLE…`: whether bundles are complete, unchanged, and say what their journals say.
struct VerifyCommand: Command {
  static let syntax = CommandSyntax(
    "verify", operands: "BUNDLE…", count: 1...1_000_000, "checks that bundles are complete and unchanged")

  /// So many problems of one bundle are told; the others are counted.
  private static let most = 50

  let paths: [String]

  init(_ arguments: Arguments) { paths = arguments.operands }

  func run() async throws -> ExitStatus {
    var status = ExitStatus.done
    for path in paths {
      let problems = Bundle.verify(path)
      if problems.isEmpty { Console.standard.line("\(path): whole and unchanged") }
      for problem in problems.prefix(Self.most) { Console.standard.complain("\(path): \(problem)") }
      if problems.count > Self.most {
        Console.standard.complain("\(path): … and \(problems.count - Self.most) problems more")
      }
      if !problems.isEmpty { status = .failed }
    }
    return status
  }
}
