import Basics

/// A command of this program that a console runs in a process of its own, so that no fault of it ends the console.
struct ChildCommand: Sendable {
  /// The longest time that one may take.
  private static let limit = Duration.seconds(600)

  /// This program, also after its file was replaced.
  static let program = "/proc/self/exe"

  let words: [String]

  /// Runs it to its end.
  ///
  /// - Returns: its exit status, what it printed as JSON, `null` where that is something else, and its complaints.
  func run() async -> JSONValue {
    await WaitingThread.run {
      do {
        let outcome = try TemporaryFolder().use { folder in
          try ProgramStart([Self.program] + words).outcome(in: folder, limit: Self.limit)
        }
        let output = try? JSONReader.read(Array(outcome.output.utf8)).value
        return Self.answer(outcome.status, output ?? .null, Self.complaints(in: outcome.errors))
      } catch {
        return Self.answer(1, .null, ["“station \(words.first ?? "")” could not be run: \(error)"])
      }
    }
  }

  static func answer(_ status: Int32, _ output: JSONValue, _ complaints: [String]) -> JSONValue {
    [
      "status": .integer(Int(status)), "output": output, "complaints": .array(complaints.map { .string($0) }),
    ]
  }

  /// The last lines that a command printed to standard error, without the program's name.
  static func complaints(in errors: String) -> [String] {
    errors.split(separator: "\n").suffix(20).map { line in
      line.hasPrefix("station: ") ? String(line.dropFirst("station: ".count)) : String(line)
    }
  }
}
