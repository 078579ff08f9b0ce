import Basics
import Glibc
import Laboratory
import Quantities
import Session
import Sound

/// `station check level`: plays noise of −23 LUFS and keeps what a sound-level meter shows of it.
struct CheckLevelCommand: Command {
  static let syntax = CommandSyntax(
    "check level", "plays noise at -23 LUFS and keeps the level that a sound-level meter shows for it",
    options: [
      .init("seconds", value: "N", "how long the noise sounds (default: 30)"),
      .init("measured-dB", value: "LEVEL", "the level that the meter shows, in dB SPL (default: asked on a terminal)"),
      .init("replace", "replace an earlier calibration of this speaker"),
      SpeakerChoice.option, AppliedSettings.resultsOption,
    ])

  let seconds: Double
  let measured: Double?
  let replaces: Bool
  let settings: AppliedSettings
  let speaker: SpeakerChoice

  init(_ arguments: Arguments) throws {
    seconds = try arguments.number("seconds", 1...3600) ?? 30
    measured = try arguments.number("measured-dB", StationSettings.levels, "dB SPL")
    replaces = arguments.has("replace")
    settings = try AppliedSettings(arguments)
    speaker = settings.speaker(arguments)
    if speaker == .silent { throw Self.refusal("no one can hear --speaker silent; name the sink of a loudspeaker") }
    guard measured != nil || Keyboard.isTerminal else {
      throw Self.refusal(
        "missing --measured-dB LEVEL, for example --measured-dB 68.5: standard input is not a terminal")
    }
  }

  func run() async throws -> ExitStatus {
    guard let path = settings.files.first(where: { $0.owner == .user })?.path else {
      throw Failure("cannot keep a calibration: neither XDG_CONFIG_HOME nor HOME is set; set one of them")
    }
    let console = Console.standard
    let speaker = try await speaker.open(refusesNullSink: false)
    guard let sink = speaker.description.sink else {
      await speaker.close()
      throw Failure("cannot keep a calibration: the sound server does not name the sink; name it with --speaker")
    }
    // Before anyone measures for nothing.
    if !replaces, let old = settings.calibrations[sink] {
      await speaker.close()
      throw Failure("\(StationSettings.CalibrationRefusal.exists(old))")
    }
    for note in speaker.description.notes { console.report("note: \(note)") }
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
    let level = try measured ?? ask(console)
    guard let date = CalendarDate(String("\(WallTime.now)".prefix(10))) else { return .failed }
    try StationSettings.write(.init(level: level, date: date), of: sink, to: path, replacing: replaces)
    console.line("“\(sink)”: -23 LUFS are \(level.fixed(1)) dB SPL; kept in \(path.visible)")
    return .done
  }

  /// Asks for the level at a terminal.
  private func ask(_ console: Console) throws -> Double {
    console.line("level in dB SPL:")
    console.drain()
    guard let level = readLine().flatMap(Double.init), StationSettings.levels.contains(level) else {
      throw Failure("expected a level from 30 to 120 dB SPL; measure again, or give it with --measured-dB")
    }
    return level
  }
}
