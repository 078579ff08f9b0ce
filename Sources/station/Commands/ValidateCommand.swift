import Basics
import Glibc
import Laboratory
import Session
import Sound
import Study

/// `station validate PROTOCOL…`: checks protocols and reports every problem with its place.
struct ValidateCommand: Command {
  static let syntax = CommandSyntax(
    "validate", operands: "PROTOCOL…", count: 1...10_000,
    "checks protocols and prints every problem with its place; - reads standard input",
    options: [
      LoadedStudy.clipsOption, .init("participant", value: "ID", "check the clips of this participant too"),
      .init("json", "print one JSON array"),
    ])

  let paths: [String]
  let clipsFolder: String?
  let participant: String?
  let isJSON: Bool
  let language: Language

  init(_ arguments: Arguments) throws {
    language = try AppliedSettings(results: "results").language?.value ?? .english
    paths = arguments.operands
    clipsFolder = arguments["clips"]
    participant = try arguments.code("participant")
    isJSON = arguments.has("json")
  }

  func run() async throws -> ExitStatus {
    // A program may be speaking.
    Interrupts.endTidily()
    var status = ExitStatus.done
    var documents: [JSONValue] = []
    for path in paths {
      do throws(StudyRefusal) {
        let study = try load(path)
        _ = try await study.speech(in: language, by: SessionEnvironment.here.speak)
        let loudness = try study.loudnessNotes(.ofUser) { clip, count in
          Console.standard.show(status: "measuring the loudness of clip \(clip) of \(count)")
        }
        Console.standard.show(status: "")
        let caveats = PlanCaveat.ofGroups(study.studyProtocol) + study.clipCaveats
        let notes = study.participantNotes(participant) + caveats.map(\.description) + loudness
        if isJSON {
          documents.append(study.json(path, notes))
        } else {
          Console.standard.line("\(Self.name(of: path).visible): valid\(study.summary)")
          let unused = (study.library?.problems ?? []).map { "not used: \($0)" }
          for line in StudyRefusal.first(of: unused) { Console.standard.report(line) }
          for note in notes { Console.standard.line("\(Self.name(of: path).visible): note: \(note)") }
        }
      } catch {
        if isJSON { documents.append(error.json(path)) } else { Console.standard.report("\(error)") }
        status = .invalidProtocol
      }
    }
    if isJSON { Console.standard.write(JSONValue.array(documents).encoded(pretty: true)) }
    return status
  }

  /// Reads a protocol from a file, or from standard input, where its folder of clips is relative to the current folder.
  private func load(_ path: String) throws(StudyRefusal) -> LoadedStudy {
    guard path == "-" else {
      return try LoadedStudy(path, clipsFolder: clipsFolder, participant: participant)
    }
    return try LoadedStudy(
      "/dev/stdin", clipsFolder: clipsFolder, participant: participant, called: Self.name(of: path), clipsFrom: ".")
  }

  /// The name of a file in messages.
  private static func name(of path: String) -> String { path == "-" ? "<stdin>" : path }
}

extension LoudnessCache {
  /// The cache of the user who runs the program.
  fileprivate static var ofUser: LoudnessCache {
    LoudnessCache { name in unsafe getenv(name).map { unsafe String(cString: $0) } }
  }
}
