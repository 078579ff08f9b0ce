package import Quantities
package import Study
import Synchronization

/// The speaker that makes no sound and keeps time by any clock: for rehearsals and for tests of whatever uses a speaker.
///
/// A stimulus starts exactly at its scheduled moment, or now when that has passed, and ends after exactly its frames.
/// Faults are played as they are written. Nothing runs in the background: a playback sleeps on the clock while its
/// events are being read.
package final class SilentSpeaker: Speaker {
  /// Something that goes wrong on purpose.
  package enum Fault: Hashable, Sendable {
    /// ``SilentSpeaker/prepare(_:)`` throws.
    case refusesToPrepare(reason: String)
    /// The playback of that number, from 0, is refused by ``SilentSpeaker/play(_:at:)``.
    case refusesToPlay(playback: Int, reason: String)
    /// The playback of that number is lost so long after its onset.
    case fails(playback: Int, after: Duration, reason: String)
    /// The playback of that number is disturbed so long after its onset; an underrun's moment is set to when it happens.
    case disturbs(playback: Int, after: Duration, Disturbance<Moment>)
  }

  /// Why it would not do what it was told.
  package enum Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The stimulus has a format that was not prepared.
    case notPrepared
    /// Another stimulus is under way.
    case busy
    /// It was closed.
    case closed
    /// A fault that was asked for.
    case fault(String)

    /// The reason, in words.
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
    var format: SoundFormat?
    var isClosed = false
    var playbacks = 0
    var current: SilentPlayback?
  }

  /// The speaker as results describe it: `silent`, not audible.
  package let description: SpeakerDescription

  private let clock: any StationClock
  private let uncertainty: Duration
  private let faults: [Fault]
  private let state = Mutex(State())

  /// A silent speaker.
  ///
  /// - Parameters:
  ///   - clock: the clock by which it keeps time.
  ///   - lead: how far ahead it wants its stimuli; it plays later ones all the same, as soon as it can.
  ///   - uncertainty: the uncertainty that it reports with onset and offset.
  ///   - faults: what goes wrong.
  package init(
    clock: any StationClock, lead: Duration = .zero, uncertainty: Duration = .zero, faults: [Fault] = []
  ) {
    description = SpeakerDescription(kind: "silent", isAudible: false, lead: lead)
    self.clock = clock
    self.uncertainty = uncertainty
    self.faults = faults
  }

  /// Takes note of the format.
  package func prepare(_ format: SoundFormat) async throws {
    for case .refusesToPrepare(let reason) in faults { throw Refusal.fault(reason) }
    try state.withLock { state in
      if state.isClosed { throw Refusal.closed }
      state.format = format
    }
  }

  /// Begins a playback at the scheduled moment, or ``SpeakerDescription/lead`` from now where that is later.
  package func play(_ stimulus: Stimulus, at moment: Moment) async throws -> any Playback {
    let earliest = clock.now.advanced(by: description.lead)
    return try state.withLock { state in
      if state.isClosed { throw Refusal.closed }
      if state.format != stimulus.format { throw Refusal.notPrepared }
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

  /// Ends what is under way; nothing can be played afterwards.
  package func close() async {
    let current = state.withLock { state in
      state.isClosed = true
      return state.current
    }
    await current?.stop(fade: .zero)
  }
}
