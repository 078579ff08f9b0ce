import Basics
import Bundles
import Experiment
import Quantities
import Sound
import Study

/// `station validate PROTOCOL…`: checks protocols and reports every problem with its place.
struct ValidateCommand: Command {
  static let syntax = CommandSyntax(
    "validate", operands: "PROTOCOL…", count: 1...10_000,
    "checks protocols and prints every problem with its place; - reads standard input",
    options: [LoadedStudy.clipsOption, .init("json", "print one JSON array")])

  let paths: [String]
  let clipsFolder: String?
  let isJSON: Bool

  init(_ arguments: Arguments) {
    paths = arguments.operands
    clipsFolder = arguments["clips"]
    isJSON = arguments.has("json")
  }

  func run() async throws -> ExitStatus {
    var status = ExitStatus.done
    var documents: [JSONValue] = []
    for path in paths {
      do throws(StudyRefusal) {
        let study = try Self.load(path, clipsFolder)
        let notes = try Self.loudnessNotes(study)
        if isJSON {
          documents.append(Self.json(path, study, notes))
        } else {
          Console.standard.line("\(Self.name(of: path).visible): valid\(Self.summary(study))")
          for problem in study.library?.problems ?? [] { Console.standard.complain("not used: \(problem)") }
          for note in notes { Console.standard.line("\(Self.name(of: path).visible): note: \(note)") }
        }
      } catch {
        if isJSON { documents.append(Self.json(path, error)) } else { Console.standard.complain("\(error)") }
        status = .invalidProtocol
      }
    }
    if isJSON { Console.standard.write(JSONValue.array(documents).encoded(pretty: true)) }
    return status
  }

  /// Reads a protocol from a file, or from standard input, where its folder of clips is relative to the current folder.
  private static func load(_ path: String, _ clipsFolder: String?) throws(StudyRefusal) -> LoadedStudy {
    guard path == "-" else { return try LoadedStudy(path, clipsFolder: clipsFolder) }
    return try LoadedStudy("/dev/stdin", clipsFolder: clipsFolder, called: name(of: path), clipsFrom: ".")
  }

  /// The name of a file in messages.
  private static func name(of path: String) -> String { path == "-" ? "<stdin>" : path }

  /// Notes on the clips that cannot reach the loudness target of a step that may play them.
  private static func loudnessNotes(_ study: LoadedStudy) throws(StudyRefusal) -> [String] {
    var notes: [String] = []
    for step in study.studyProtocol.steps {
      guard case .music(let music) = step.kind, music.loudness != nil else { continue }
      for clip in Draw.candidates(for: music, among: study.clips) {
        do {
          let reached = try StimulusLoader().load(clip, for: music).reachedLoudness
          if let caveat = Caveat.loudness(of: clip.name, reached: reached, target: music.loudness) {
            notes.append("\(caveat)")
          }
        } catch {
          throw StudyRefusal("\(error)")
        }
      }
    }
    return notes
  }

  /// The total duration of the active steps that end by themselves.
  private static func activeTime(_ study: LoadedStudy) -> Duration {
    study.studyProtocol.steps.compactMap(\.active?.stepDuration).reduce(.zero, +)
  }

  private static func summary(_ study: LoadedStudy) -> String {
    let time = activeTime(study)
    let length = time == .zero ? "" : ", \(words(time)) of active steps"
    let clips = study.library.map { ", \($0.clips.count.counted("clip"))" } ?? ""
    return " (\(study.studyProtocol.steps.count.counted("step"))\(length)\(clips))"
  }

  /// A duration to the tenth of a second: `20.5 s`, `2 min`, `1 min 5 s`.
  static func words(_ length: Duration) -> String {
    let tenths = Int((length.seconds * 10).rounded())
    let (minutes, rest) = tenths.quotientAndRemainder(dividingBy: 600)
    let seconds = rest % 10 == 0 ? "\(rest / 10) s" : "\(rest / 10).\(rest % 10) s"
    return minutes == 0 ? seconds : rest == 0 ? "\(minutes) min" : "\(minutes) min \(seconds)"
  }

  private static func json(_ path: String, _ study: LoadedStudy, _ notes: [String]) -> JSONValue {
    [
      "file": .string(path), "isValid": true, "problems": [], "omittedProblems": 0,
      "identifier": .string(study.studyProtocol.identifier),
      "steps": .integer(study.studyProtocol.steps.count),
      "activeSteps_s": .number(activeTime(study).seconds),
      "clips": study.library.map { .integer($0.clips.count) } ?? nil,
      "unusedClips": .array(
        (study.library?.problems ?? []).map { ["path": .string($0.path), "reason": .string("\($0.reason)")] }),
      "notes": .array(notes.map { .string($0) }),
    ]
  }

  private static func json(_ path: String, _ refusal: StudyRefusal) -> JSONValue {
    [
      "file": .string(path), "isValid": false, "problems": .array(refusal.json),
      "omittedProblems": .integer(refusal.omitted),
    ]
  }
}
