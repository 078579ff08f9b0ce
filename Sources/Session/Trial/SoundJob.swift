import Bundles
import Quantities
import Sound
import Study

/// A sound that is asked for.
struct SoundJob: Sendable {
  let id: SoundID
  /// The step's identifier.
  let step: String
  /// Where the stimulus goes on.
  let firstFrame: Int
  /// What is said, and the moment before which it is not; `nil` for other sounds.
  let speech: PreparedSpeech?
  let due: Moment?
  /// The gain of noise, in decibels.
  let gain: Double

  init(
    _ id: SoundID, of step: String, fromFrame firstFrame: Int = 0, speech: PreparedSpeech? = nil, due: Moment? = nil,
    gain: Double = 0
  ) {
    self.gain = gain
    self.id = id
    self.step = step
    self.firstFrame = firstFrame
    (self.speech, self.due) = (speech, due)
  }

  /// It is handed to the speaker; `nil` for a tone.
  func scheduled(at time: Duration, frames: Int) -> JournalEvent? {
    switch id.kind {
    case .stimulus(let segment): .soundScheduled(step: step, segment: segment, at: time, frames: frames)
    case .startTone, .finishTone, .noise: nil
    case .speech(let utterance, let segment):
      speech.map { .speechScheduled(step: step, utterance: utterance, segment: segment, at: time, $0.facts) }
    }
  }

  /// It was lost, or could not be played.
  func failed(_ reason: String) -> JournalEvent {
    switch id.kind {
    case .stimulus(let segment): .soundFailed(step: step, segment: segment, reason: reason)
    case .startTone: .toneFailed(step: step, tone: .start, reason: reason)
    case .finishTone: .toneFailed(step: step, tone: .finish, reason: reason)
    case .noise: .toneFailed(step: step, tone: .noise, reason: reason)
    case .speech(let utterance, let segment):
      .speechFailed(step: step, utterance: utterance, segment: segment, reason: reason)
    }
  }

  /// Its first frame left the sink.
  func started(_ onset: MeasuredTime) -> JournalEvent {
    switch id.kind {
    case .stimulus(let segment): .soundStarted(step: step, segment: segment, onset: onset)
    case .startTone: .toneStarted(step: step, tone: .start, onset: onset)
    case .finishTone: .toneStarted(step: step, tone: .finish, onset: onset)
    case .noise(let number, _): .toneStarted(step: step, tone: .noise, number: number, onset: onset)
    case .speech(let utterance, let segment):
      .speechStarted(step: step, utterance: utterance, segment: segment, onset: onset)
    }
  }

  /// Its last frame left the sink.
  func ended(_ offset: MeasuredTime, frames: Int) -> JournalEvent {
    switch id.kind {
    case .stimulus(let segment): .soundEnded(step: step, segment: segment, offset: offset, frames: frames)
    case .startTone: .toneEnded(step: step, tone: .start, offset: offset)
    case .finishTone: .toneEnded(step: step, tone: .finish, offset: offset)
    case .noise(let number, _): .toneEnded(step: step, tone: .noise, number: number, offset: offset)
    case .speech(let utterance, let segment):
      .speechEnded(step: step, utterance: utterance, segment: segment, offset: offset)
    }
  }

  /// Something put it in doubt.
  func disturbed(_ disturbance: Disturbance<Duration>) -> JournalEvent {
    switch id.kind {
    case .stimulus(let segment): .soundDisturbed(step: step, segment: segment, disturbance)
    case .startTone: .toneDisturbed(step: step, tone: .start, disturbance)
    case .finishTone: .toneDisturbed(step: step, tone: .finish, disturbance)
    case .noise: .toneDisturbed(step: step, tone: .noise, disturbance)
    case .speech(let utterance, let segment):
      .speechDisturbed(step: step, utterance: utterance, segment: segment, disturbance)
    }
  }

  /// What it is called in a sentence.
  var title: String {
    switch id.kind {
    case .stimulus: "the sound"
    case .startTone: "the start tone of the step “\(step)”"
    case .finishTone: "the finish tone of the step “\(step)”"
    case .noise: "the noise of the step “\(step)”"
    case .speech(let utterance, _): "\(utterance.title) of the step “\(step)”"
    }
  }
}
