public import Bundles
internal import JSON

extension TrialFacts {
  /// What a bundle says of its trial.
  public init(_ bundle: Bundle) {
    let result = bundle.result
    func seconds(_ value: JSONValue?) -> Double? { value?.number.map { $0 / 1e9 } }
    trial = bundle.trial
    participant = bundle.participant
    session = bundle.session
    condition = bundle.task
    clip = bundle.clipName
    mood = result["clip"]?["mood"]?.string
    start = bundle.startDate
    outcome = bundle.outcome
    grade = bundle.grade
    reasons = bundle.reasons
    sounds = (result["playback"]?["segments"]?.array ?? []).compactMap { segment in
      seconds(segment["onset_ns"]).map { onset in
        Sound(
          onset: onset, offset: seconds(segment["offset_ns"]),
          onsetUncertainty: seconds(segment["onsetUncertainty_ns"]))
      }
    }
    steps = (result["steps"]?.array ?? []).compactMap { step in
      guard let identifier = step["identifier"]?.string, let start = seconds(step["start_ns"]) else { return nil }
      return Step(identifier: identifier, start: start, end: seconds(step["end_ns"]))
    }
  }
}
