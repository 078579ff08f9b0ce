import Basics
import Glibc
import Laboratory
import Quantities
import Session
import Sound
import Study

extension Command {
  /// The onset error of this computer, measured with short clips.
  static let checkOnset = Command(
    "check onset", "plays short clips at scheduled times and reports the onset error",
    options: [
      .init("clip", value: "CLIP", "play this clip instead of a 200 ms tone"),
      .init("trials", value: "N", "the number of clips to play (default: 25)"), .speaker, .resultsOfSettings,
      .init(
        "json-lines",
        "print one JSON object per trial: times in nanoseconds, frames, disturbances, other programs"),
    ]
  ) { arguments in
    let trials = try arguments.wholeNumber("trials", 1...10_000) ?? 25
    let isJSON = arguments.has("json-lines")
    let choice = try AppliedSettings(arguments).speaker(arguments)
    let console = Console.standard
    let speaker = try await choice.open(refusesNullSink: false)
    // The sink's own rate.
    let stimulus =
      try arguments["clip"].map(Stimulus.firstMinute) ?? .tone(rate: speaker.description.sinkRate ?? 48_000)
    try await console.prepare(speaker, for: stimulus.format)
    var results: [OnsetTrial] = []
    if !isJSON { console.lines(OnsetReport.head(speaker.description, stimulus)) }
    console.note(speaker.description.notes)
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

  /// The level that a sound-level meter shows for noise of −23 LUFS, which is kept.
  static let checkLevel = Command(
    "check level", "plays noise at -23 LUFS and keeps the level that a sound-level meter shows for it",
    options: [
      .init("seconds", value: "N", "how long the noise sounds (default: 30)"),
      .init("measured-dB", value: "LEVEL", "the level that the meter shows, in dB SPL (default: asked on a terminal)"),
      .init("replace", "replace an earlier calibration of this speaker"), .speaker, .resultsOfSettings,
    ]
  ) { arguments in
    let seconds = try arguments.number("seconds", 1...3600) ?? 30
    let measured = try arguments.number("measured-dB", StationSettings.levels, "dB SPL")
    let settings = try AppliedSettings(arguments)
    let choice = try settings.audibleSpeaker(arguments)
    guard measured != nil || Keyboard.isTerminal else {
      throw arguments.refusal(
        "missing --measured-dB LEVEL, for example --measured-dB 68.5: standard input is not a terminal")
    }
    guard let path = settings.userPath else {
      throw Failure("cannot keep a calibration: neither XDG_CONFIG_HOME nor HOME is set; set one of them")
    }
    let console = Console.standard
    let speaker = try await choice.open(refusesNullSink: false)
    guard let sink = speaker.description.sink else {
      await speaker.close()
      throw Failure("cannot keep a calibration: the sound server does not name the sink; name it with --speaker")
    }
    // Before anyone measures for nothing.
    let replaces = arguments.has("replace")
    if !replaces, let old = settings.calibrations[sink] {
      await speaker.close()
      throw Failure("\(StationSettings.CalibrationRefusal.exists(old))")
    }
    console.note(speaker.description.notes)
    let format = SoundFormat(sampleRate: speaker.description.sinkRate ?? 48_000, channels: 2)
    let noise = Stimulus.pinkNoise(format, lasting: Duration(seconds: seconds))
    try await console.prepare(speaker, for: format)
    console.line("pink noise at -23 LUFS for \(seconds.fixed(0)) s through “\(sink)”: read the level from the meter")
    let start = MonotonicClock().now.advanced(by: speaker.description.lead)
    for await event in try await speaker.play(noise, at: start).events {
      if case .failed(let reason) = event {
        await speaker.close()
        throw Failure("the noise was not played: \(reason)")
      }
    }
    await speaker.close()
    let level = try measured ?? askForLevel(console)
    guard let date = CalendarDate.today else { return .failed }
    try StationSettings.write(.init(level: level, date: date), of: sink, to: path, replacing: replaces)
    console.line("“\(sink)”: -23 LUFS are \(level.fixed(1)) dB SPL; kept in \(path.visible)")
    return .done
  }

  private static func askForLevel(_ console: Console) throws -> Double {
    console.line("level in dB SPL:")
    console.drain()
    guard let level = readLine().flatMap(Double.init), StationSettings.levels.contains(level) else {
      throw Failure("expected a level from 30 to 120 dB SPL; measure again, or give it with --measured-dB")
    }
    return level
  }
}

extension AppliedSettings {
  /// The speaker, which must be one that is heard.
  func audibleSpeaker(_ arguments: Arguments) throws(UsageError) -> SpeakerChoice {
    let choice = speaker(arguments)
    guard choice != .silent else {
      throw arguments.refusal("no one can hear --speaker silent; name the sink of a loudspeaker")
    }
    return choice
  }

  /// The file with the user's settings; `nil` where there is no place for one.
  var userPath: String? { files.first { $0.owner == .user }?.path }
}

extension CalendarDate { static var today: CalendarDate? { CalendarDate(String("\(WallTime.now)".prefix(10))) } }

extension Console {
  /// What the status line says while a speaker is prepared: a card is looked at for up to 23 seconds.
  static let preparesSpeaker = "making the sound ready; a sound card can take 25 s"

  /// Prepares a speaker, which the status line says meanwhile.
  func prepare(_ speaker: any Speaker, for format: SoundFormat) async throws {
    show(status: Self.preparesSpeaker)
    defer { show(status: "") }
    try await speaker.prepare(format)
    try await speaker.learn()
  }

  /// Reports notes on a speaker.
  func note(_ notes: [String]) {
    for note in notes { report("note: \(note)") }
  }
}
