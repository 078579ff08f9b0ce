import Basics
import Experiment
import Quantities
import Sound

/// `station play CLIP`: plays a clip for listening; Ctrl-C fades it out.
struct PlayCommand: Command {
  static let syntax = CommandSyntax(
    "play", operands: "CLIP", count: 1...1, "plays a clip for listening",
    options: [
      .init("duration", value: "SECONDS", "play only this much of the clip"),
      SpeakerChoice.option, AppliedSettings.resultsOption,
    ])

  static let takesInterrupts = true

  let clip: String
  /// The duration to play; `nil` plays the whole clip.
  let duration: Duration?
  let speaker: SpeakerChoice

  init(_ arguments: Arguments) throws {
    clip = arguments.operands[0]
    duration = try arguments.number("duration", 0.001...86_400).map { Duration(seconds: $0) }
    speaker = try AppliedSettings(arguments).speaker(arguments)
  }

  /// Plays on the calling thread, which does nothing else, so that the sound starts as soon as possible.
  func run() async throws -> ExitStatus {
    let console = Console.standard
    let server = speaker == .silent ? try playable { try PrivateSoundServer() } : nil
    defer { server?.stop() }
    let player = try playable {
      try ClipPlayer(server: server?.address, sink: server == nil ? speaker.sinkName : "silent")
    }
    var reader = try ClipReader(clip, hashing: false)
    let format = reader.format
    let wanted = duration.map { format.frames(in: $0) } ?? .max
    let stopper = player.stopper
    console.decouple()
    Interrupts.onEach { _ in stopper.stop() }
    let frames = try player.play(
      &reader, frames: wanted, progress: { console.show(status: "  ♪ \($0.seconds.fixed(1)) s") },
      opened: { sink in if server == nil { for note in sink.notes { console.report("note: \(note)") } } })
    console.show(status: "")
    let seconds = format.duration(of: frames).seconds.fixed(3)
    console.line(
      "played \(seconds) s of “\(clip)”, \(format.sampleRate) Hz, \(format.channels.counted("channel"))"
        + (duration != nil && frames < wanted ? "; the clip is shorter than --duration" : ""))
    return .done
  }

  /// Runs `begin`; if it fails, a clip that cannot be read is reported first.
  private func playable<Value: ~Copyable>(_ begin: () throws -> Value) throws -> Value {
    do {
      return try begin()
    } catch {
      _ = try ClipReader(clip, hashing: false)
      throw error
    }
  }
}
