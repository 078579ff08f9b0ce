import CPulse
import Quantities
import Study
import Synchronization

/// A stream that is kept open and fed with silence, onto which one stimulus at a time is placed.
///
/// Everything here happens on PulseAudio's thread or while it is held. PulseAudio holds the object until the stream
/// has ended; the connection is not held, because it must not end on its own thread.
@safe final class HeldStream: Sendable {
  /// What the stream carries.
  let format: SoundFormat
  /// How long it waits for what should come at once.
  let patience: Patience
  /// Set once when the stream was opened, and freed with the object; PulseAudio's lock guards it.
  nonisolated(unsafe) let state: UnsafeMutablePointer<State>

  @safe struct State {
    var stream: OpaquePointer?
    /// The loop's functions and the two timers that they made: for what comes next, and for what does not come.
    var api: UnsafePointer<pa_mainloop_api>?
    var timer: OpaquePointer?
    var watchdog: OpaquePointer?
    var grace = DeadlineGrace()
    var timeline: Timeline
    /// The frames that were handed to the server.
    var written = 0
    /// The questions about timing that were asked, and those that were answered, in their order.
    var asked = 0
    var answered = 0
    var station: Playout.Station
    var opening: Once<Void>?
    /// When the stream must be open.
    var openingEnd: Moment?
    var performance: Performance?
    /// How loud it was when it was made ready, and how loud it is as far as the server has told.
    var reference: SpeakerVolume?
    var volume: SpeakerVolume?
    /// Who else plays to the sink.
    var others = OtherPrograms()
    /// Why nothing could be heard of it now.
    var silence: PulseAudioError?
    /// Why the stream ended.
    var failure: PulseAudioError?
  }

  /// A stimulus under way.
  struct Performance {
    var playout: Playout
    let samples: StimulusSamples
    let events: AsyncStream<PlaybackEvent>.Continuation
    /// Who waits for it to be placed.
    var request: PlayRequest?
    /// The answers still to come to questions that were asked before it was placed last.
    var staleAnswers = 0
  }

  init(_ format: SoundFormat, _ station: Playout.Station, _ patience: Patience) {
    self.format = format
    self.patience = patience
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: State(timeline: Timeline(channels: format.channels), station: station))
  }

  deinit {
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }

  /// Why the stream ended; `nil` while it runs.
  var failure: PulseAudioError? { unsafe state.pointee.failure }

  /// Whether a stimulus is under way.
  var isPlaying: Bool { unsafe state.pointee.performance != nil }

  /// How far ahead a stimulus must be handed over to sound in time.
  var lead: Duration { unsafe .nanoseconds(state.pointee.station.placement + 10_000_000) }

  var frameSize: Int { format.channels * MemoryLayout<Float>.stride }
}

/// How long to wait for what should come at once.
struct Patience: Hashable, Sendable {
  /// Until a stream is open and its silence is played.
  var opening = Duration.seconds(5)
  /// Until an answer, or an end that is due.
  var answer = Duration.seconds(2)
}

/// Somebody who waits for a stimulus to be placed, and may give up.
final class PlayRequest: Sendable {
  private let abandoned = Atomic(false)
  let placed = Awaited<Void>()

  /// Whether nobody waits any more.
  var isAbandoned: Bool { abandoned.load(ordering: .acquiring) }

  /// Gives up; takes no lock.
  func abandon() { abandoned.store(true, ordering: .releasing) }
}
