package import Quantities
import Study

/// An output that plays stimuli at scheduled moments and reports their measured onsets and offsets.
package protocol Speaker: Sendable {
  var description: SpeakerDescription { get }

  /// Keeps less sound in the server's buffers from the next preparation on, so that a sound can follow an event soon: see
  /// ``SpeakerDescription/leastLead``. Where the computer is busy, such sound is interrupted more easily.
  func useLowLatency()

  /// Plays as soon as possible from the next preparation on, and lets the server hold much, so that a busy computer does not
  /// interrupt the sound: for listening, where onsets need no schedule.
  func useForListening()

  /// Prepares the speaker for sound of this format: wakes the sink and starts a silent stream.
  ///
  /// Idempotent; called ahead of the trial, so that ``play(_:at:)`` need not open anything.
  func prepare(_ format: SoundFormat) async throws

  /// Learns what makes the measured times of a prepared speaker more precise, where that takes long: called between trials, after
  /// ``prepare(_:)``.
  func learn() async throws

  /// Places a stimulus of a prepared format so that its first frame leaves the sink at the scheduled moment, or as soon as
  /// possible if that is less than ``SpeakerDescription/lead`` ahead. There is only one playback at a time.
  func play(_ stimulus: Stimulus, at moment: Moment) async throws -> any Playback

  /// Closes the stream; the speaker is not used afterwards.
  func close() async
}

extension Speaker {
  /// A speaker without buffers needs nothing.
  package func useLowLatency() {}

  /// A speaker that is always ready needs nothing.
  package func useForListening() {}

  /// A speaker of which everything is known needs nothing.
  package func learn() async throws {}
}

/// What a speaker is used for, which decides what it waits for and how much sound its server holds.
enum SpeakerUse {
  case scheduledSounds
  case soundsAfterEvents
  case listening
}

/// A stimulus that is being played.
package protocol Playback: Sendable {
  /// The playback's events, ending after ``PlaybackEvent/ended(_:frames:)`` or ``PlaybackEvent/failed(reason:)``; may
  /// be read once.
  var events: AsyncStream<PlaybackEvent> { get }

  /// Ends the sound early, as soon as the sink allows, with a ramp to silence over `fade`.
  func stop(fade: Duration) async
}

/// What happens to a sound that a speaker has taken.
package enum PlaybackEvent: Hashable, Sendable {
  /// The first frame left the sink; reported a little later, when its time has been measured.
  case started(MeasuredMoment)
  /// The last frame left the sink; `frames` is the number of the stimulus's frames that were played.
  case ended(MeasuredMoment, frames: Int)
  /// A disturbance that makes the stimulus doubtful.
  case disturbed(Disturbance<Moment>)
  /// The sound was lost: the server died or the sink disappeared.
  case failed(reason: String)
}

/// A speaker: the facts that a trial records of it, and what its user needs besides.
@dynamicMemberLookup
package struct SpeakerDescription: Hashable, Sendable {
  /// What a trial records of it.
  package var facts: SpeakerFacts
  /// The sink's human-readable name.
  package var sinkDescription: String?
  package var channels: Int
  /// The minimum time ahead at which a stimulus must be scheduled.
  package var lead: Duration
  /// The time ahead at which a stimulus that could not be scheduled earlier still begins in time.
  package var leastLead: Duration
  /// Whether the sink may be later than its server knows: a filter, or a loudspeaker on the network.
  var hasUnknownDelay: Bool

  init(
    _ facts: SpeakerFacts, sinkDescription: String? = nil, channels: Int = 2, lead: Duration,
    hasUnknownDelay: Bool = false
  ) {
    self.facts = facts
    self.sinkDescription = sinkDescription
    self.channels = channels
    self.hasUnknownDelay = hasUnknownDelay
    (self.lead, leastLead) = (lead, lead)
  }

  package subscript<Fact>(dynamicMember fact: WritableKeyPath<SpeakerFacts, Fact>) -> Fact {
    get { facts[keyPath: fact] }
    set { facts[keyPath: fact] = newValue }
  }
}
