import Basics
import Sound
import Study

/// `station clips [FOLDER|FILE…]`: the duration, format, loudness, hash and problems of clips.
struct ClipsCommand: Command {
  static let syntax = CommandSyntax(
    "clips", operands: "[FOLDER|FILE…]", count: 0...100_000,
    "shows the duration, rate, channels, loudness, true peak, hash and problems of clips",
    options: [.init("json", "print one JSON array")])

  let paths: [String]
  let isJSON: Bool

  init(_ arguments: Arguments) {
    paths = arguments.operands.isEmpty ? ["Clips"] : arguments.operands
    isJSON = arguments.has("json")
  }

  func run() async throws -> ExitStatus {
    var examinations: [ClipExamination] = []
    var skipped: [SkippedFile] = []
    var problems: [ClipError] = []
    for path in paths {
      guard Folder.isFolder(path) else {
        examinations.append(ClipExamination(path: path))
        continue
      }
      let library: ClipLibrary
      do { library = try ClipLibrary(path) } catch { throw Failure("\(error)") }
      examinations += library.examinations()
      skipped += library.skipped
      problems += library.listProblems
    }
    if isJSON {
      Console.standard.write(
        JSONValue.array(examinations.map(\.json) + skipped.map(\.json) + problems.map(\.json))
          .encoded(pretty: true))
    } else {
      for line in ClipExamination.table(examinations).lines { Console.standard.line(line) }
      for file in skipped { Console.standard.line("\(file)") }
    }
    for problem in problems { Console.standard.report("\(problem)") }
    return examinations.contains { $0.problem != nil } || !problems.isEmpty ? .failed : .done
  }
}
