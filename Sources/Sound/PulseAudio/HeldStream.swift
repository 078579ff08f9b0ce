import CPulse
import Quantities
import Study
import Synchronization

/// A stream that is kept open and fed with silence, on which one stimulus at a time is placed.
///
/// Everything here runs on PulseAudio's thread or with its lock held. PulseAudio retains the object until the stream
/// has ended; the object does not retain the connection, which must not be released on its own thread.
@safe final class HeldStream: Sendable {
  let format: SoundFormat
  let patience: Patience
  /// Allocated when the stream was opened, and freed with the object; guarded by PulseAudio's lock.
  nonisolated(unsafe) let state: UnsafeMutablePointer<State>

  @safe struct State {
    var stream: OpaquePointer?
    /// The loop's functions and three timers: for the next step, as a watchdog, and for the next reading of a card.
    var api: UnsafePointer<pa_mainloop_api>?
    var timer: OpaquePointer?
    var watchdog: OpaquePointer?
    var reader: OpaquePointer?
    var grace = DeadlineGrace()
    var timeline: Timeline
    var written = 0
    /// The numbers of timing requests sent and answered; answers come in order.
    var asked = 0
    var answered = 0
    var station: Playout.Station
    /// When the frames leave the card, if its position can be followed.
    var course: CardCourse?
    /// The numbers of timing requests that are for the course alone.
    var readings: Set<Int> = []
    /// How often the server is still to be asked for the course alone.
    var toAsk = 0
    /// Until when the card is looked at closely, once the silence plays.
    var closeUntil: Moment?
    var opening: Once<Void>?
    /// Whether opening waits until silence is heard.
    var isPatient = true
    var openingEnd: Moment?
    var performance: Performance?
    /// The volume when the stream was prepared, and the latest volume that the server reported.
    var reference: SpeakerVolume?
    var volume: SpeakerVolume?
    var others = OtherPrograms()
    /// Why the stream is currently inaudible.
    var silence: SoundServerError?
    var failure: SoundServerError?
  }

  struct Performance {
    var playout: Playout
    let samples: StimulusSamples
    let events: AsyncStream<PlaybackEvent>.Continuation
    /// The caller that waits for the stimulus to be placed.
    var request: PlayRequest?
    /// The number of pending answers to timing requests sent before the stimulus was last placed.
    var staleAnswers = 0
  }

  init(_ format: SoundFormat, _ station: Playout.Station, _ course: CardCourse?, _ patience: Patience) {
    self.format = format
    self.patience = patience
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(
      to: State(timeline: Timeline(channels: format.channels), station: station, course: course))
  }

  deinit {
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }

  /// Why the stream ended; `nil` while it runs.
  var failure: SoundServerError? { unsafe state.pointee.failure }

  var isPlaying: Bool { unsafe state.pointee.performance != nil }

  /// The minimum time ahead at which a stimulus must be handed over.
  var lead: Duration { unsafe .nanoseconds(state.pointee.station.lead) }

  /// The same for one that could not be handed over earlier, and is placed by a single answer.
  var leastLead: Duration { unsafe .nanoseconds(state.pointee.station.leastLead) }

  var frameSize: Int { format.channels * MemoryLayout<Float>.stride }
}

/// The time limits for the server's responses.
struct Patience: Hashable, Sendable {
  /// For opening a stream and playing its first silence.
  var opening = Duration.seconds(5)
  /// For an answer, or for an end that is due.
  var answer = Duration.seconds(2)
}

/// A caller's wait for a stimulus to be placed, which may be abandoned.
final class PlayRequest: Sendable {
  private let abandoned = Atomic(false)
  let placed = Awaited<Void>()

  var isAbandoned: Bool { abandoned.load(ordering: .acquiring) }

  /// Abandons the request; takes no lock.
  func abandon() { abandoned.store(true, ordering: .releasing) }
}

/// Distinguishes a missed deadline from a stall of this process.
///
/// After a stall longer than its patience, the station would blame a server that had answered in time, or that had
/// stalled too because the whole computer had. The station's own timer shows the stall: if the timer is late, the wait
/// starts again, once.
struct DeadlineGrace: Hashable, Sendable {
  /// The largest timer delay on a machine that keeps up.
  static let tolerance = Duration.milliseconds(100)

  private var extended: Moment?

  /// The new deadline for a timer that fired now, to wait again for an answer; `nil` if the deadline has passed.
  mutating func extend(_ deadline: Moment, by limit: Duration, at now: Moment) -> Moment? {
    guard deadline.duration(to: now) > Self.tolerance, extended != deadline else { return nil }
    extended = deadline
    return now.advanced(by: limit)
  }
}
