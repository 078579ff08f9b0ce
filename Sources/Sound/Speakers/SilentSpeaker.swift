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
  enum Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    case notPrepared
    case busy
    case closed
    case fault(String)

    var description: String {
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

  /// A speaker that keeps time by a clock, plays what is scheduled less than `lead` ahead as soon as possible, and reports
  /// onsets and offsets with this uncertainty.
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

/// A stimulus that a silent speaker pretends to play.
///
/// It is a list of future events, each with its time; the reader of the events waits for the next one. A stop rewrites
/// the list and wakes the reader.
final class SilentPlayback: Playback {
  /// An injected fault of this playback, at a time after its onset.
  struct Fault: Sendable {
    let after: Duration
    let event: PlaybackEvent

    /// Creates the fault if it applies to the playback with that number and happens before its end.
    init?(_ fault: SilentSpeaker.Fault, playback: Int) {
      switch fault {
      case .fails(playback, let after, let reason): (self.after, event) = (after, .failed(reason: reason))
      case .disturbs(playback, let after, let disturbance): (self.after, event) = (after, .disturbed(disturbance))
      default: return nil
      }
    }
  }

  private struct Coming: Sendable {
    let moment: Moment
    let event: PlaybackEvent

    var isLast: Bool {
      switch event {
      case .ended, .failed: true
      case .started, .disturbed: false
      }
    }
  }

  private struct State {
    /// The future events in order; the last one ends the playback.
    var coming: [Coming]
    /// Opens when the list changes, and is replaced then.
    var change = Gate()
  }

  private let clock: any StationClock
  private let onset: Moment
  private let frames: Int
  private let format: SoundFormat
  private let uncertainty: Duration
  private let state: Mutex<State>

  init(
    clock: any StationClock, onset: Moment, frames: Int, format: SoundFormat, uncertainty: Duration, faults: [Fault]
  ) {
    self.clock = clock
    self.onset = onset
    self.frames = frames
    self.format = format
    self.uncertainty = uncertainty
    let end = onset.advanced(by: format.duration(of: frames))
    var coming = [
      Coming(moment: onset, event: .started(MeasuredMoment(moment: onset, uncertainty: uncertainty))),
      Coming(moment: end, event: .ended(MeasuredMoment(moment: end, uncertainty: uncertainty), frames: frames)),
    ]
    for fault in faults.sorted(by: { $0.after < $1.after }) where fault.after < onset.duration(to: end) {
      let moment = onset.advanced(by: max(.zero, fault.after))
      let event: PlaybackEvent =
        if case .disturbed(.underrun) = fault.event {
          .disturbed(.underrun(at: moment))
        } else {
          fault.event
        }
      coming.insert(Coming(moment: moment, event: event), at: coming.count - 1)
    }
    if let last = coming.firstIndex(where: \.isLast) { coming.removeSubrange((last + 1)...) }
    state = Mutex(State(coming: coming))
  }

  /// Whether its end has passed, regardless of whether the event was read.
  var isOver: Bool {
    let end = state.withLock { $0.coming.last?.moment }
    return end.map { $0 <= clock.now } ?? true
  }

  var events: AsyncStream<PlaybackEvent> { AsyncStream { await self.next() } }

  /// Moves the end to the end of the fade, to the nearest frame, unless it comes earlier anyway.
  func stop(fade: Duration) async {
    let now = clock.now
    let change = state.withLock { state -> Gate? in
      let played = now < onset ? 0 : format.frames(in: onset.duration(to: now) + max(.zero, fade))
      let end = now < onset ? now : onset.advanced(by: format.duration(of: played))
      guard let last = state.coming.last, end < last.moment else { return nil }
      state.coming.removeAll { $0.moment > end || $0.isLast }
      let event = PlaybackEvent.ended(MeasuredMoment(moment: end, uncertainty: uncertainty), frames: played)
      state.coming.append(Coming(moment: end, event: event))
      defer { state.change = Gate() }
      return state.change
    }
    change?.open()
  }

  /// The next event, returned at its time; `nil` after the last one, and when the reader is cancelled.
  private func next() async -> PlaybackEvent? {
    while !Task.isCancelled {
      let (first, change) = state.withLock { ($0.coming.first, $0.change) }
      guard let first else { return nil }
      if first.moment <= clock.now {
        let isStill = state.withLock { state in
          guard state.change === change, !state.coming.isEmpty else { return false }
          state.coming.removeFirst()
          return true
        }
        if isStill { return first.event }
      } else {
        await change.wait(until: first.moment, on: clock)
      }
    }
    return nil
  }
}
