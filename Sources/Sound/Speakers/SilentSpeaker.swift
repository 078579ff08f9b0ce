package import Quantities
import Study
import Synchronization

/// A speaker without sound that keeps time by any clock, for rehearsals and for tests of a speaker's clients.
///
/// A stimulus starts exactly at its scheduled moment, or now if that has passed, and ends after exactly its frames.
/// Injected faults happen as specified. Nothing runs in the background: a playback sleeps on the clock only while its
/// events are being read.
package final class SilentSpeaker: Speaker {
  /// An injected fault.
  package enum Fault: Hashable, Sendable {
    /// ``SilentSpeaker/prepare(_:)`` throws.
    case refusesToPrepare(reason: String)
    /// ``SilentSpeaker/play(_:at:)`` refuses the playback with that number, counted from 0.
    case refusesToPlay(playback: Int, reason: String)
    /// The playback with that number is lost at that time after its onset.
    case fails(playback: Int, after: Duration, reason: String)
    /// The playback with that number is disturbed at that time after its onset; an underrun's moment is set to that
    /// time.
    case disturbs(playback: Int, after: Duration, Disturbance<Moment>)
  }

  /// Why a call was refused.
  package enum Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The stimulus has a format that was not prepared.
    case notPrepared
    /// Another stimulus is playing.
    case busy
    /// The speaker is closed.
    case closed
    /// An injected fault.
    case fault(String)

    /// The reason as a sentence.
    package var description: String {
      switch self {
      case .notPrepared: "cannot play: the speaker was not made ready for this format; prepare it first"
      case .busy: "cannot play: another stimulus is under way; stop it first"
      case .closed: "cannot use the speaker: it is closed"
      case .fault(let reason): "cannot use the speaker: \(reason)"
      }
    }
  }

  private struct State {
    var formats: Set<SoundFormat> = []
    var isClosed = false
    var playbacks = 0
    var current: SilentPlayback?
  }

  /// The speaker's description in results: `silent`, not audible.
  package let description: SpeakerDescription

  private let clock: any StationClock
  private let uncertainty: Duration
  private let faults: [Fault]
  private let state = Mutex(State())

  /// Creates a silent speaker.
  ///
  /// - Parameters:
  ///   - clock: the clock by which it keeps time.
  ///   - lead: the lead time it requires; a stimulus scheduled later than that is played as soon as possible.
  ///   - uncertainty: the uncertainty that it reports with onset and offset.
  ///   - faults: the faults to inject.
  package init(
    clock: any StationClock, lead: Duration = .zero, uncertainty: Duration = .zero, faults: [Fault] = []
  ) {
    description = SpeakerDescription(SpeakerFacts(kind: SpeakerFacts.silent, isAudible: false), lead: lead)
    self.clock = clock
    self.uncertainty = uncertainty
    self.faults = faults
  }

  /// Records the format as prepared, beside earlier ones.
  package func prepare(_ format: SoundFormat) async throws {
    for case .refusesToPrepare(let reason) in faults { throw Refusal.fault(reason) }
    try state.withLock { state in
      if state.isClosed { throw Refusal.closed }
      state.formats.insert(format)
    }
  }

  /// Begins a playback at the scheduled moment, or ``SpeakerDescription/lead`` from now if that is later.
  package func play(_ stimulus: Stimulus, at moment: Moment) async throws -> any Playback {
    let earliest = clock.now.advanced(by: description.lead)
    return try state.withLock { state in
      if state.isClosed { throw Refusal.closed }
      guard state.formats.contains(stimulus.format) else { throw Refusal.notPrepared }
      if let current = state.current, !current.isOver { throw Refusal.busy }
      let number = state.playbacks
      for case .refusesToPlay(number, let reason) in faults { throw Refusal.fault(reason) }
      let playback = SilentPlayback(
        clock: clock, onset: max(moment, earliest), frames: stimulus.frames, format: stimulus.format,
        uncertainty: uncertainty, faults: faults.compactMap { SilentPlayback.Fault($0, playback: number) })
      state.playbacks += 1
      state.current = playback
      return playback
    }
  }

  /// Ends the current playback; nothing can be played afterwards.
  package func close() async {
    let current = state.withLock { state in
      state.isClosed = true
      return state.current
    }
    await current?.stop(fade: .zero)
  }
}
