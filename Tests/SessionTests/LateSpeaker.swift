import Quantities
import Sound
import Study
import Synchronization
import TestSupport

/// A speaker that reports everything a little later than it happened, as one does that measures, or nothing at all.
final class LateSpeaker: Speaker {
  private let speaker: SilentSpeaker
  private let clock: HandClock
  private let delay: Duration?
  private let stopped = Mutex<[Duration]>([])

  init(_ speaker: SilentSpeaker, _ clock: HandClock, by delay: Duration?) {
    self.speaker = speaker
    self.clock = clock
    self.delay = delay
  }

  /// The fades of the stops that it was asked for.
  var stops: [Duration] { stopped.withLock { $0 } }

  var description: SpeakerDescription { speaker.description }

  func prepare(_ format: SoundFormat) async throws { try await speaker.prepare(format) }

  func learn() async throws { try await speaker.learn() }

  func play(_ stimulus: Stimulus, at moment: Moment) async throws -> any Playback {
    LatePlayback(playback: try await speaker.play(stimulus, at: moment), clock: clock, delay: delay) { fade in
      self.stopped.withLock { $0.append(fade) }
    }
  }

  func close() async { await speaker.close() }
}

private struct LatePlayback: Playback {
  let playback: any Playback
  let clock: HandClock
  let delay: Duration?
  let stops: @Sendable (Duration) -> Void

  var events: AsyncStream<PlaybackEvent> {
    AsyncStream {
      // A silent playback goes on where the last reader of its events stopped.
      for await event in playback.events {
        try? await clock.sleep(for: delay ?? .seconds(1 << 20))
        return Task.isCancelled ? nil : event
      }
      return nil
    }
  }

  func stop(fade: Duration) async {
    stops(fade)
    await playback.stop(fade: fade)
  }
}
