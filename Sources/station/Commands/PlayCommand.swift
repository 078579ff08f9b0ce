import Basics
import Laboratory
import Quantities
import Session
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

  /// Plays on PipeWire where it runs and has the sink, else through PulseAudio.
  func run() async throws -> ExitStatus { try CallingThread.run { try await play(waitingOn: $0) } }

  private func play(waitingOn thread: CallingThread) async throws -> ExitStatus {
    if speaker == .silent { return try await playSilently(thread) }
    if speaker.server == .pipeWire { return try await play(on: try await onPipeWire(thread), notes: true) }
    guard speaker.server == nil, SoundServerChoice.prefersPipeWire else { return try play(try onPulseAudio()) }
    let player: GraphClipPlayer
    do {
      player = try await onPipeWire(thread)
    } catch {
      // A PipeWire that only serves cameras has no sink, and PulseAudio has the sinks.
      guard let player = try? ClipPlayer(sink: speaker.sinkName) else { throw error }
      return try play(player)
    }
    return try await play(on: player, notes: true)
  }

  private func onPulseAudio() throws -> ClipPlayer { try playable { try ClipPlayer(sink: speaker.sinkName) } }

  private func onPipeWire(_ thread: CallingThread) async throws -> GraphClipPlayer {
    do {
      return try await GraphClipPlayer(sink: speaker.sinkName, on: thread)
    } catch {
      // A clip that cannot be read is reported first.
      _ = try ClipReader(clip, hashing: false)
      throw error
    }
  }

  /// Plays to a private PulseAudio, or to a private PipeWire where that is not installed.
  private func playSilently(_ thread: CallingThread) async throws -> ExitStatus {
    switch Result(catching: { try playable { try PrivateSoundServer() } }) {
    case .success(let server):
      defer { server.stop() }
      return try play(try playable { try ClipPlayer(server: server.address, sink: "silent") }, notes: false)
    case .failure(let error):
      guard error is SoundServerError, let server = try? PrivatePipeWire() else { throw error }
      defer { server.stop() }
      return try await play(on: try await GraphClipPlayer(remote: server.address, on: thread), notes: false)
    }
  }

  /// Plays through PulseAudio on the calling thread, which does nothing else, so that the sound starts as soon as
  /// possible.
  private func play(_ player: consuming ClipPlayer, notes: Bool = true) throws -> ExitStatus {
    var reader = try ClipReader(clip, hashing: false)
    let stopper = player.stopper
    begin { stopper.stop() }
    let frames = try player.play(
      &reader, frames: wanted(reader.format), progress: show, opened: { if notes { report($0) } })
    return ended(frames, reader.format)
  }

  private func play(on player: GraphClipPlayer, notes: Bool) async throws -> ExitStatus {
    var reader = try ClipReader(clip, hashing: false)
    begin { player.stop() }
    var progress: ((Duration) -> Void)?
    if Console.standard.canRedraw { progress = { show($0) } }
    let frames = try await player.play(
      &reader, frames: wanted(reader.format), progress: progress, opened: { if notes { report($0) } })
    return ended(frames, reader.format)
  }

  private func begin(stop: @escaping @Sendable () -> Void) {
    Console.standard.decouple()
    Interrupts.onEach { _ in stop() }
  }

  private func wanted(_ format: SoundFormat) -> Int { duration.map { format.frames(in: $0) } ?? .max }

  private func show(_ time: Duration) { Console.standard.show(status: "  ♪ \(time.seconds.fixed(1)) s") }

  private func report(_ sink: SpeakerDescription) {
    for note in sink.notes { Console.standard.report("note: \(note)") }
  }

  private func ended(_ frames: Int, _ format: SoundFormat) -> ExitStatus {
    Console.standard.show(status: "")
    let seconds = format.duration(of: frames).seconds.fixed(3)
    Console.standard.line(
      "played \(seconds) s of “\(clip)”, \(format.sampleRate) Hz, \(format.channels.counted("channel"))"
        + (duration != nil && frames < wanted(format) ? "; the clip is shorter than --duration" : ""))
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
