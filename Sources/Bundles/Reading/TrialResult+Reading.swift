import JSON
import Quantities
import Study

extension TrialResult {
  /// Reads a result.
  init(_ result: JSONValue) {
    trial = result["trial"]?.string ?? ""
    participant = result["participant"]?["id"]?.string ?? ""
    session = result["session"]?.string ?? ""
    task = result["task"]?["identifier"]?.string ?? ""
    taskVersion = result["task"]?["version"]?.string
    protocolSHA256 = result["task"]?["protocolSha256"]?.string
    let station = result["station"]
    self.station = Station(
      identifier: station?["identifier"]?.string, version: station?["version"]?.string,
      system: station?["system"]?.string)
    clip = result["clip"].flatMap(Clip.init)
    startDate = result["startDate"]?.string.flatMap { WallTime($0) }
    outcome = result["outcome"]?.string.flatMap(Outcome.init)
    grade = result["verdict"]?["grade"]?.string.flatMap(Grade.init)
    reasons = result["verdict"]?["reasons"]?.array?.compactMap(\.string) ?? []
    warnings = result["warnings"]?.array?.compactMap(\.string) ?? []
    sounds = (result["playback"]?["segments"]?.array ?? []).compactMap(Sound.init)
    steps = (result["steps"]?.array ?? []).compactMap(Step.init)
    recorders = (result["recordings"]?.array ?? []).compactMap(Recorder.init)
  }
}

extension TrialResult.Clip {
  fileprivate init?(_ clip: JSONValue) {
    guard let name = clip["name"]?.string else { return nil }
    self.init(
      name: name, sha256: clip["sha256"]?.string, mood: clip["mood"]?.string,
      draw: clip["selection"].flatMap { Draw(recorded: $0) })
  }
}

extension Draw {
  fileprivate init?(recorded selection: JSONValue) {
    guard selection["method"]?.string == "random", let purpose = selection["purpose"]?.string,
      let candidates = selection["candidates"]?.array, let index = selection["index"]?.integer,
      let generator = selection["generator"]?.string, let seed = try? JournalFields(selection).seed("seed")
    else { return nil }
    self.init(
      purpose: purpose, candidates: candidates.compactMap(\.string), index: index, seed: seed, generator: generator)
  }
}

extension TrialResult.Sound {
  // What never sounded has no onset.
  fileprivate init?(_ segment: JSONValue) {
    guard let onset = segment.time("onset_ns") else { return nil }
    self.init(onset: onset, onsetUncertainty: segment.time("onsetUncertainty_ns"), offset: segment.time("offset_ns"))
  }
}

extension TrialResult.Step {
  fileprivate init?(_ step: JSONValue) {
    guard let identifier = step["identifier"]?.string, let start = step.time("start_ns") else { return nil }
    self.init(identifier: identifier, start: start, end: step.time("end_ns"))
  }
}

extension TrialResult.Recorder {
  fileprivate init?(_ recording: JSONValue) {
    guard let identifier = recording["identifier"]?.string else { return nil }
    self.init(
      identifier: identifier, unit: recording["unit"]?.string ?? "",
      samples: max(0, recording["samples"]?.integer ?? 0),
      summary: recording["summary"].flatMap(TrialResult.Summary.init),
      segments: (recording["segments"]?.array ?? []).compactMap(\.times),
      gaps: (recording["gaps"]?.array ?? []).compactMap { gap in
        gap.times.map { TrialResult.Gap(times: $0, reason: gap["reason"]?.string ?? "") }
      })
  }
}

extension TrialResult.Summary {
  fileprivate init?(_ summary: JSONValue) {
    guard let smallest = summary["min"]?.number, let largest = summary["max"]?.number,
      let mean = summary["mean"]?.number
    else { return nil }
    self.init(smallest: smallest, largest: largest, mean: mean)
  }
}

extension JSONValue {
  /// The time in a member that counts nanoseconds; `nil` for what no trial's clock can have shown.
  fileprivate func time(_ key: String) -> Duration? {
    guard let number = self[key]?.number?.rounded(), let whole = Int(exactly: number),
      Plausible.nanoseconds.contains(whole)
    else { return nil }
    return .nanoseconds(whole)
  }

  /// The time from `start_ns` to `end_ns`.
  fileprivate var times: Range<Duration>? {
    guard let start = time("start_ns"), let end = time("end_ns"), start <= end else { return nil }
    return start..<end
  }
}
