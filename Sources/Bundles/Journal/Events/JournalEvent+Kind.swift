extension JournalEvent {
  /// The kind as lines call it: `audio.start`.
  package var kind: String {
    switch self {
    case .trialOpened: "trial.open"
    case .stepStarted: "step.start"
    case .stepBegan: "step.begin"
    case .stepFinished: "step.finish"
    case .stepEnded: "step.end"
    case .clipChosen: "clip.chosen"
    case .soundScheduled: "audio.scheduled"
    case .soundStarted: "audio.start"
    case .soundEnded: "audio.end"
    case .soundDisturbed: "audio.disturbed"
    case .soundFailed: "audio.failed"
    case .toneStarted: "tone.start"
    case .toneEnded: "tone.end"
    case .toneDisturbed: "tone.disturbed"
    case .toneFailed: "tone.failed"
    case .recorderStarted: "recorder.start"
    case .recorderStopped: "recorder.stop"
    case .reading: "hr"
    case .sensorConnected: "sensor.connected"
    case .sensorLost: "sensor.lost"
    case .linesSkipped: "sensor.unreadable"
    case .readingsDropped: "sensor.overflow"
    case .sensorNoted: "sensor.note"
    case .suspended: "trial.suspend"
    case .resumed: "trial.resume"
    case .signalled: "signal"
    case .note: "note"
    case .trialClosed: "trial.close"
    case .unknown(let kind): kind
    }
  }

  /// Whether the journal is brought to the disk at once when this has happened, instead of within a second.
  package var isBoundary: Bool {
    switch self {
    case .trialOpened, .clipChosen, .soundStarted, .soundEnded, .soundFailed, .trialClosed: true
    default: false
    }
  }
}
