import Basics
import Experiment
import Glibc
import Quantities
import Sound
import Study

/// `station check onset`: plays short clips at scheduled times and reports the onset error of this computer.
struct CheckOnsetCommand: Command {
  static let syntax = CommandSyntax(
    "check onset", "plays short clips at scheduled times and reports the onset error",
    options: [
      .init("clip", value: "CLIP", "play this clip instead of a 200 ms tone"),
      .init("trials", value: "N", "the number of clips to play (default: 25)"),
      SpeakerChoice.option,
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
    speaker = SpeakerChoice(arguments["speaker"])
    isJSON = arguments.has("json-lines")
  }

  /// Plays the clips and prints the measurements; with JSON lines, the summary goes to standard error.
  func run() async throws -> ExitStatus {
    let console = Console.standard
    let speaker = try await speaker.open(refusesNullSink: false)
    let stimulus = try clip.map(Self.stimulus) ?? Self.tone(rate: speaker.description.sinkRate ?? 48_000)
    try await speaker.prepare(stimulus.format)
    var results: [OnsetTrial] = []
    if !isJSON { for line in OnsetReport.head(speaker.description, stimulus) { console.line(line) } }
    for note in speaker.description.notes { console.complain("note: \(note)") }
    for number in 1...trials {
      let trial = try await play(stimulus, through: speaker, after: results.last)
      results.append(trial)
      console.line(isJSON ? trial.json : OnsetReport.row(number, trial, since: results[0].called))
    }
    await speaker.close()
    let report = OnsetReport(results)
    for text in report.summary { if isJSON { console.complain(text) } else { console.line(text) } }
    return report.isGood ? .done : .suspect
  }

  private func play(
    _ stimulus: Stimulus, through speaker: PulseSpeaker, after last: OnsetTrial?
  ) async throws -> OnsetTrial {
    let clock = MonotonicClock()
    // At least 350 ms of silence, never synchronous with the sink's periods.
    if let end = last?.end?.moment.advanced(by: .milliseconds(240)) {
      try await clock.sleep(until: end, tolerance: nil)
    }
    let called = clock.now
    let earliest = called.advanced(by: max(.milliseconds(150), speaker.description.lead + .milliseconds(20)))
    let moment = earliest.advanced(by: .microseconds(Int.random(in: 0..<100_000)))
    let playback = try await speaker.play(stimulus, at: moment)
    var trial = OnsetTrial(called: called, scheduled: moment, returned: clock.now)
    for await event in playback.events {
      switch event {
      case .started(let onset): trial.onset = onset
      case .ended(let end, let frames):
        trial.end = end
        trial.frames = frames
        trial.isWhole = frames == stimulus.frames
      case .disturbed(.otherProgram(let name)): trial.otherPrograms.append(name)
      case .disturbed: trial.disturbances += 1
      case .failed(let reason): throw PulseAudioError(action: "go on", reason: reason)
      }
    }
    return trial
  }

  private static func stimulus(_ path: String) throws -> Stimulus {
    var reader = try ClipReader(path, hashing: false)
    var samples: [Float] = []
    // One minute is more than any check needs.
    _ = try reader.read(upTo: 60 * reader.format.sampleRate, into: &samples)
    return Stimulus(format: reader.format, samples: samples)
  }

  /// A cosine of 1 kHz that begins at its peak, so that its first frame is its loudest.
  private static func tone(rate: Int) -> Stimulus {
    let samples = (0..<rate / 5).flatMap { frame in
      let value = Float(0.5 * cos(2 * .pi * 1000 * Double(frame) / Double(rate)))
      return [value, value]
    }
    return Stimulus(format: SoundFormat(sampleRate: rate, channels: 2), samples: samples)
  }
}

/// One played clip of a check.
struct OnsetTrial: Sendable {
  /// When `play` was called.
  var called: Moment
  /// The scheduled onset.
  var scheduled: Moment
  /// When `play` returned.
  var returned: Moment
  /// The measured onset.
  var onset: MeasuredMoment?
  /// The measured offset.
  var end: MeasuredMoment?
  /// The number of frames played.
  var frames = 0
  /// Whether every frame was played.
  var isWhole = false
  /// The number of underruns, playback shifts and other disturbances during the clip.
  var disturbances = 0
  /// The other programs with a stream open on the same sink; the server does not report whether it was silent.
  var otherPrograms: [String] = []

  /// The onset error: measured less scheduled onset.
  var error: Duration? { onset.map { scheduled.duration(to: $0.moment) } }

  /// The trial as a JSON line, with times in nanoseconds of CLOCK_MONOTONIC to compare with other measurements.
  var json: String {
    var object: [(String, Int64)] = [("t_call", called.nanoseconds), ("t_sched", scheduled.nanoseconds)]
    if let onset {
      object += [("claim", onset.moment.nanoseconds), ("uncertainty", onset.uncertainty.nanoseconds)]
    }
    if let end {
      object += [("end", end.moment.nanoseconds), ("end_uncertainty", end.uncertainty.nanoseconds)]
    }
    object += [
      ("t_ret", returned.nanoseconds), ("frames", Int64(frames)), ("disturbances", Int64(disturbances)),
    ]
    let others = String(decoding: JSONValue.array(otherPrograms.map(JSONValue.string)).encoded(), as: UTF8.self)
    let members = object.map { "\"\($0.0)\":\($0.1)" } + ["\"other_programs\":\(others)"]
    return "{" + members.joined(separator: ",") + "}"
  }
}
