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
    let (status, text, complaints) = await text()
    let output = text.flatMap { try? JSONReader.read(Array($0.utf8)).value }
    return Self.answer(status, output ?? .null, complaints)
  }

  /// Runs it to its end.
  ///
  /// - Returns: its exit status, what it printed, `nil` where it could not be run, and its complaints.
  func text() async -> (status: Int32, output: String?, complaints: [String]) {
    await WaitingThread.run {
      do {
        let outcome = try TemporaryFolder().use { folder in
          try ProgramStart([Self.program] + words).outcome(in: folder, limit: Self.limit)
        }
        return (outcome.status, outcome.output, Self.complaints(in: outcome.errors))
      } catch {
        return (1, nil, ["“station \(words.first ?? "")” could not be run: \(error)"])
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
