import Basics
import Laboratory
import Quantities
import Session
import Sound
import Study

/// `station check onset`: plays short clips at scheduled times and reports the onset error of this computer.
struct CheckOnsetCommand: Command {
  static let syntax = CommandSyntax(
    "check onset", "plays short clips at scheduled times and reports the onset error",
    options: [
      .init("clip", value: "CLIP", "play this clip instead of a 200 ms tone"),
      .init("trials", value: "N", "the number of clips to play (default: 25)"),
      SpeakerChoice.option, AppliedSettings.resultsOption,
      .init(
        "json-lines",
        "print one JSON object per trial: times in nanoseconds, frames, disturbances, other programs"),
    ])

  /// The clip's file; `nil` plays a 200 ms tone at the sink's own rate.
  let clip: String?
  let trials: Int
  let speaker: SpeakerChoice
  let isJSON: Bool

  init(_ arguments: Arguments) throws {
    trials = try arguments.wholeNumber("trials", 1...10_000) ?? 25
    clip = arguments["clip"]
    speaker = try AppliedSettings(arguments).speaker(arguments)
    isJSON = arguments.has("json-lines")
  }

  /// Plays the clips and prints the measurements; with JSON lines, the summary goes to standard error.
  func run() async throws -> ExitStatus {
    let console = Console.standard
    let speaker = try await speaker.open(refusesNullSink: false)
    let stimulus = try clip.map(Stimulus.firstMinute) ?? .tone(rate: speaker.description.sinkRate ?? 48_000)
    try await console.prepare(speaker, for: stimulus.format)
    var results: [OnsetTrial] = []
    if !isJSON { for line in OnsetReport.head(speaker.description, stimulus) { console.line(line) } }
    for note in speaker.description.notes { console.report("note: \(note)") }
    for number in 1...trials {
      // As a session does before each of its trials.
      if number > 1 { try await console.prepare(speaker, for: stimulus.format) }
      let trial = try await OnsetTrial.play(stimulus, through: speaker, after: results.last)
      results.append(trial)
      console.line(isJSON ? trial.json : OnsetReport.row(number, trial, since: results[0].called))
    }
    await speaker.close()
    let report = OnsetReport(results)
    for text in report.summary { if isJSON { console.report(text) } else { console.line(text) } }
    return report.isGood ? .done : .suspect
  }
}
