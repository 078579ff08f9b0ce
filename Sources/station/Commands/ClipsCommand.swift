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
        JSONValue.array(examinations.map(Self.json) + skipped.map(Self.json) + problems.map(Self.json))
          .encoded(pretty: true))
    } else {
      Self.print(examinations)
      for file in skipped { Console.standard.line("\(file)") }
    }
    for problem in problems { Console.standard.complain("\(problem)") }
    return examinations.contains { $0.problem != nil } || !problems.isEmpty ? .failed : .done
  }

  private static func json(_ clip: ClipExamination) -> JSONValue {
    let contents = clip.contents
    return [
      "name": .string(clip.name),
      "file": .string(Folder.name(of: clip.path)),
      "frames": contents.map { .integer($0.frames) } ?? nil,
      "sampleRate": contents.map { .integer($0.format.sampleRate) } ?? nil,
      "channels": contents.map { .integer($0.format.channels) } ?? nil,
      "durationSeconds": contents.map { .number(seconds($0)) } ?? nil,
      "loudnessLUFS": (clip.loudness?.integrated).map { .number($0) } ?? nil,
      "truePeakDBTP": (clip.loudness?.truePeak).map { .number($0) } ?? nil,
      "sha256": (contents?.sha256).map { .string($0) } ?? nil,
      "warnings": .array((contents?.warnings ?? []).map { .string($0) }),
      "problem": clip.problem.map { .string("\($0)") } ?? nil,
    ]
  }

  private static func json(_ file: SkippedFile) -> JSONValue {
    [
      "file": .string(Folder.name(of: file.path)), "skipped": .string(file.reason.rawValue),
      "problem": .string(file.explanation),
    ]
  }

  /// A problem of the folder's clip list, as JSON.
  private static func json(_ problem: ClipError) -> JSONValue {
    ["file": .string(Folder.name(of: problem.path)), "problem": .string("\(problem.reason)")]
  }

  private static func print(_ clips: [ClipExamination]) {
    var table = TextTable([
      ("name", .left), ("duration", .right), ("rate", .right), ("channels", .right), ("loudness", .right),
      ("true peak", .right), ("sha256", .left), ("problem", .left),
    ])
    for clip in clips {
      let contents = clip.contents
      table.add([
        clip.name,
        contents.map { seconds($0).fixed(3) + " s" } ?? "",
        contents.map { "\($0.format.sampleRate) Hz" } ?? "",
        contents.map { "\($0.format.channels)" } ?? "",
        (clip.loudness?.integrated).map { $0.fixed(1) + " LUFS" } ?? "",
        (clip.loudness?.truePeak).map { $0.fixed(1) + " dBTP" } ?? "",
        (contents?.sha256).map { String($0.prefix(16)) } ?? "",
        clip.problem.map { "\($0.reason)" } ?? contents?.warnings.joined(separator: "; ") ?? "",
      ])
    }
    for line in table.lines { Console.standard.line(line) }
  }

  private static func seconds(_ contents: ClipContents) -> Double {
    Double(contents.frames) / Double(contents.format.sampleRate)
  }
}
