import Sound
import Study

/// `station validate PROTOCOL…`: whether protocols can be run, with every problem and its place.
struct ValidateCommand: Command {
  static let syntax = CommandSyntax(
    "validate", operands: "PROTOCOL…", count: 1...10_000, "tells every problem of protocols, with its place",
    options: [LoadedStudy.clipsOption])

  let paths: [String]
  let clipsFolder: String?

  init(_ arguments: Arguments) {
    paths = arguments.operands
    clipsFolder = arguments["clips"]
  }

  func run() async throws -> ExitStatus {
    var status = ExitStatus.done
    for path in paths {
      do {
        let study = try LoadedStudy(path, clipsFolder: clipsFolder)
        Console.standard.line("\(path): valid\(Self.summary(study))")
        for problem in study.library?.problems ?? [] { Console.standard.complain("not used: \(problem)") }
        for note in try Self.loudnessNotes(study) { Console.standard.line("\(path): note: \(note)") }
      } catch let failure as Failure {
        Console.standard.complain("\(failure)")
        status = failure.status
      }
    }
    return status
  }

  /// What to say of the clips that a step with a loudness target may play and that do not reach it.
  private static func loudnessNotes(_ study: LoadedStudy) throws -> [String] {
    try study.studyProtocol.steps.flatMap { step -> [String] in
      guard case .music(let music) = step.kind, music.loudness != nil else { return [] }
      return try Draw.candidates(for: music, among: study.clips).compactMap { clip in
        do {
          return try StimulusLoader().load(clip, for: music).shortfall(of: clip, for: music)
        } catch {
          throw Failure("\(error)", status: .invalidProtocol)
        }
      }
    }
  }

  private static func summary(_ study: LoadedStudy) -> String {
    let steps = study.studyProtocol.steps
    let seconds = steps.compactMap(\.active?.stepDuration).reduce(.zero, +).components.seconds
    let length = seconds == 0 ? "" : ", \(seconds / 60) min \(seconds % 60) s of active steps"
    let clips = study.library.map { ", \($0.clips.count) clips" } ?? ""
    return " (\(steps.count) steps\(length)\(clips))"
  }
}
