import Basics
package import Quantities
package import Sound
package import Study

/// What can happen in a trial; everything that a bundle says is derived from these and the protocol.
///
/// A new one is a case with its values, and its kind among the keys; the values' labels are the members of its line.
package enum JournalEvent: Hashable, Sendable, FlatInJSON, TaggedInJSON {
  /// The first record.
  indirect case trialOpened(TrialOpening)
  /// A step was shown.
  case stepStarted(step: String)
  /// The active part of a step began: its timer or its sound, and its recorders.
  case stepBegan(step: String)
  /// The active part of a step finished; the step may still wait for Return.
  case stepFinished(step: String)
  /// A step was left.
  case stepEnded(step: String, reason: StepEnd)
  case asked(step: String, question: String)
  /// A question was answered, as the record's time says; `nil` for a required one that was left without an answer.
  indirect case answered(
    step: String, question: String, value: AnswerValue?, shown: Duration, input: TrialRecord.Input? = nil)
  /// An answer does not count any more: the participant went back, and the question is not asked now, or left open.
  case withdrawn(step: String, question: String)
  /// A screen was painted for the first time, or pictures appeared on it, as the record's time says.
  indirect case painted(TrialRecord.Screen)
  /// The operator remarked something.
  case annotated(text: String)
  /// The operator asked for something, such as `pause`; what came of it is in other records.
  case commanded(command: String)
  /// A key was pressed whose presses the step records.
  case keyPressed(step: String, key: String, made: MeasuredTime)
  /// A step noted something beside answers.
  indirect case noted(step: String, NotedValue)
  /// The clip of a music step was drawn or named, found, and made ready.
  indirect case clipChosen(ChosenClip)
  /// The level at which the stimulus is played.
  indirect case soundLevelled(step: String, PlayedLevel)
  /// An R peak was seen in an electrocardiogram as soon as it was over, so that a sound can follow it.
  case beatTriggered(sensor: String, peak: Duration)
  /// The heartbeat that the stimulus follows is known.
  indirect case soundLocked(step: String, LockedBeat)
  /// The stimulus, or what is left of it after a suspension, was handed to the speaker.
  case soundScheduled(step: String, segment: Int, at: Duration, frames: Int)
  /// Its first frame left the sink.
  case soundStarted(step: String, segment: Int, onset: MeasuredTime)
  /// Its last frame left the sink; `frames` counts those of this segment that were played.
  case soundEnded(step: String, segment: Int, offset: MeasuredTime, frames: Int)
  /// Something put the stimulus in doubt without ending it; times are since the trial's zero.
  case soundDisturbed(step: String, segment: Int, Disturbance<Duration>)
  /// The stimulus was lost, or could not be played.
  case soundFailed(step: String, segment: Int, reason: String)
  /// The first frame of a step's tone left the sink; noises of a step are numbered from 1.
  case toneStarted(step: String, tone: Tone, number: Int? = nil, onset: MeasuredTime)
  /// Its last frame left the sink.
  case toneEnded(step: String, tone: Tone, number: Int? = nil, offset: MeasuredTime)
  /// Something put a tone in doubt without ending it; times are since the trial's zero.
  case toneDisturbed(step: String, tone: Tone, Disturbance<Duration>)
  /// A tone was lost, or could not be played.
  case toneFailed(step: String, tone: Tone, reason: String)
  /// What a step says was handed to the speaker.
  indirect case speechScheduled(step: String, utterance: Utterance, segment: Int, at: Duration, SpeechFacts)
  /// Its first frame left the sink.
  case speechStarted(step: String, utterance: Utterance, segment: Int, onset: MeasuredTime)
  /// Its last frame left the sink.
  case speechEnded(step: String, utterance: Utterance, segment: Int, offset: MeasuredTime)
  /// Something put it in doubt without ending it; times are since the trial's zero.
  case speechDisturbed(step: String, utterance: Utterance, segment: Int, Disturbance<Duration>)
  /// It was lost, or could not be played.
  case speechFailed(step: String, utterance: Utterance, segment: Int, reason: String)
  /// A marker was sent to another device, or could not be sent.
  indirect case marked(SentMarker)
  /// A recorder began to cut samples out of its sensor's stream; several segments are the work of suspensions.
  case recorderStarted(recorder: String, step: String, segment: Int)
  /// It stopped; samples that happened before this still count when they arrive within the settle window.
  case recorderStopped(recorder: String, step: String, segment: Int)
  /// A sensor delivered a reading; times are since the trial's zero.
  case reading(SensorReading)
  /// A sensor delivers a waveform from now on, whose blocks lie in a file of their own.
  case waveformOpened(WaveformHead)
  /// A sensor delivered a sample of a channel that carries no beat.
  case sample(SensorSample)
  indirect case sensorConnected(sensor: String, device: Device?)
  /// A sensor's connection is lost, or it has ended for good.
  case sensorLost(sensor: String, reason: String, isFinal: Bool)
  /// Lines that could not be read were skipped; `firstLine` is numbered from 1.
  case linesSkipped(sensor: String, count: Int, firstLine: Int, reason: String)
  /// Readings were dropped: they came faster than they could be taken, or the disk and memory were full.
  case readingsDropped(sensor: String, count: Int)
  /// A sensor sent more than could be read, and was held back for a time in all; `unread` samples at least waited unread in
  /// the end.
  case readingsHeldBack(sensor: String, heldBack: Duration, unread: Int)
  /// The difference between a sender's clock and the station's: what was added to the sender's times.
  case clockMeasured(sensor: String, offset: Duration, uncertainty: Duration)
  /// Something was odd about a sensor, as what is said of it: `sends too much`.
  case sensorNoted(sensor: String, text: String)
  /// The trial was paused.
  case suspended
  /// The trial went on.
  case resumed
  /// Something happened to the participant's page.
  case pageChanged(what: PageIncident)
  /// The presenter gave a signal: `vibrate`, `sound`, `speech`; with what was said.
  case signalled(step: String, what: String, text: String?)
  /// A remark for readers of the journal.
  case note(String)
  /// The last record.
  case trialClosed(TrialClosing)
  /// Something that this station does not know, which a newer one has written; it is skipped and counted.
  case unknown(kind: String)

  /// The member of a line that says what happened.
  package static var jsonTag: String { "kind" }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case trialOpened = "trial.open"
    case stepStarted = "step.shown"
    case stepBegan = "step.begun"
    case stepFinished = "step.finished"
    case stepEnded = "step.left"
    case asked = "question"
    case answered = "answer"
    case withdrawn = "answer.withdrawn"
    case painted = "screen"
    case annotated = "annotation"
    case commanded = "operator"
    case noted = "step.note"
    case keyPressed = "key"
    case pageChanged = "page"
    case clipChosen = "clip.chosen"
    case soundLevelled = "stimulus.level"
    case beatTriggered = "beat.trigger"
    case soundLocked = "stimulus.locked"
    case soundScheduled = "stimulus.scheduled"
    case soundStarted = "stimulus.onset"
    case soundEnded = "stimulus.offset"
    case soundDisturbed = "stimulus.caveat"
    case soundFailed = "stimulus.failed"
    case toneStarted = "tone.onset"
    case toneEnded = "tone.offset"
    case toneDisturbed = "tone.caveat"
    case toneFailed = "tone.failed"
    case speechScheduled = "speech.scheduled"
    case speechStarted = "speech.onset"
    case speechEnded = "speech.offset"
    case speechDisturbed = "speech.caveat"
    case speechFailed = "speech.failed"
    case marked = "marker"
    case recorderStarted = "recorder.start"
    case recorderStopped = "recorder.stop"
    case reading = "hr"
    case waveformOpened = "waveform.open"
    case sample
    case sensorConnected = "sensor.connected"
    case sensorLost = "sensor.lost"
    case linesSkipped = "sensor.unreadable"
    case readingsDropped = "sensor.overflow"
    case readingsHeldBack = "sensor.heldBack"
    case clockMeasured = "sensor.clock"
    case sensorNoted = "sensor.note"
    case suspended = "trial.suspend"
    case resumed = "trial.resume"
    case signalled = "signal"
    case note
    case trialClosed = "trial.close"
    case unknown
  }

  private enum NoteCodingKeys: String, CodingKey { case _0 = "text" }

  private enum SensorLostCodingKeys: String, CodingKey {
    case sensor, reason
    case isFinal = "final"
  }

  /// The kind as lines call it: `stimulus.onset`.
  var kind: String { JSONValue.members(of: self)[Self.jsonTag]?.string ?? "" }

  /// The kinds of lines that this station knows.
  static var kinds: [String] { CodingKeys.allCases.map(\.rawValue).filter { $0 != "unknown" } }

  /// Whether the journal is brought to the disk at once when this has happened, instead of within a second.
  var isBoundary: Bool {
    switch self {
    case .trialOpened, .waveformOpened, .clipChosen, .soundStarted, .soundEnded, .soundFailed, .answered, .noted,
      .trialClosed:
      true
    default: false
    }
  }
}
