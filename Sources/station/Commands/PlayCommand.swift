import Basics
import Laboratory
import Quantities
import Session
import Sound

/// `station play CLIP`: plays a clip for listening; Ctrl-C fades it out.
struct PlayCommand {
  static let command = Command(
    "play", operands: "CLIP", "plays a clip for listening", takesInterrupts: true,
    options: [.init("duration", value: "SECONDS", "play only this much of the clip"), .speaker, .resultsOfSettings]
  ) { try await PlayCommand($0).run() }

  let clip: String
  /// The duration to play; `nil` plays the whole clip.
  let duration: Duration?
  let speaker: SpeakerChoice

  init(_ arguments: Arguments) throws {
    clip = arguments.operands[0]
    duration = try arguments.number("duration", 0.001...86_400).map { Duration(seconds: $0) }
    speaker = try AppliedSettings(arguments).speaker(arguments)
  }

  func run() async throws -> ExitStatus { try CallingThread.run { try await play(waitingOn: $0) } }

  private func play(waitingOn thread: CallingThread) async throws -> ExitStatus {
    // A clip that cannot be read is reported before a server that does not run.
    let stimulus = try Stimulus(playing: clip, duration: duration)
    let console = Console.standard
    console.decouple()
    let interrupts = Interrupts.stream()
    let speaker = try await speaker.open(refusesNullSink: false)
    speaker.useForListening()
    if let note = speaker.description.audibilityNote { console.report("note: \(note)") }
    try await speaker.prepare(stimulus.format)
    let playback = try await speaker.play(stimulus, at: MonotonicClock().now)
    let frames = try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask { for await _ in interrupts { await playback.stop(fade: Self.fade) } }
      for await event in playback.events {
        switch event {
        case .started(let onset):
          if console.canRedraw { group.addTask { await show(since: onset.moment, thread) } }
        case .ended(_, let frames): return frames
        case .disturbed: break
        case .failed(let reason): throw Failure("the sound was lost: \(reason)")
        }
      }
      return 0
    }
    await speaker.close()
    console.show(status: "")
    if let failure = stimulus.failure { throw failure }
    let format = stimulus.format
    console.line(
      "played \(format.duration(of: frames).seconds.fixed(3)) s of “\(clip)”, \(format.sampleRate) Hz, "
        + "\(format.channels.counted("channel"))"
        + (frames == stimulus.frames && duration.map { frames < format.frames(in: $0) } == true
          ? "; the clip is shorter than --duration" : ""))
    return .done
  }

  /// The length of the ramp to silence after Ctrl-C.
  private static let fade = Duration.milliseconds(50)

  /// Shows how much was heard, until the task is cancelled.
  private func show(since onset: Moment, _ thread: CallingThread) async {
    while !Task.isCancelled {
      let now = MonotonicClock().now
      Console.standard.show(status: "  ♪ \(max(.zero, onset.duration(to: now)).seconds.fixed(1)) s")
      await thread.sleep(until: now.advanced(by: .milliseconds(50)))
    }
  }
}
