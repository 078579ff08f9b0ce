import Basics
import Quantities
import Study

extension TrialResult {
  /// Reads a result.
  init(_ result: JSONValue) {
    format = result["format"]?.string ?? ""
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
    seed = try? JournalFields(result).seed("seed")
    isUnattended = result["unattended"]?.bool
    clock = Clock(result["clock"] ?? .null)
    clip = result["clip"].flatMap(Clip.init)
    startDate = result["startDate"]?.string.flatMap { WallTime($0) }
    outcome = result["outcome"]?.string.flatMap(Outcome.init)
    outcomeReason = result["reason"]?.string
    grade = result["verdict"]?["grade"]?.string.flatMap(Grade.init)
    reasons = result["verdict"]?["reasons"]?.array?.compactMap(\.string) ?? []
    warnings = result["warnings"]?.array?.compactMap(\.string) ?? []
    playback = result["playback"].flatMap(Playback.init)
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
      draw: clip["selection"].flatMap { Draw(recorded: $0) }, file: clip["file"]?.string, title: clip["title"]?.string,
      tempo: clip["tempo_bpm"]?.number, licence: clip["licence"]?.string, seconds: clip["duration_s"]?.number,
      sampleRate: clip["sampleRate"]?.integer, channels: clip["channels"]?.integer, bytes: clip["bytes"]?.integer,
      loudness: TrialResult.Loudness(
        measured: clip["loudness_LUFS"]?.number, truePeak: clip["truePeak_dBTP"]?.number, gain: clip["gain_dB"]?.number,
        target: clip["target_LUFS"]?.number, reached: clip["reached_LUFS"]?.number))
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

extension TrialResult.Playback {
  fileprivate init?(_ playback: JSONValue) {
    guard playback.object != nil else { return nil }
    self.init(
      scheduled: playback.time("scheduled_ns"), onset: playback.time("onset_ns"),
      onsetUncertainty: playback.time("onsetUncertainty_ns"), offset: playback.time("offset_ns"),
      offsetUncertainty: playback.time("offsetUncertainty_ns"), requested: playback["requested_ms"]?.length,
      played: playback["played_ms"]?.length, framesRequested: playback["framesRequested"]?.integer,
      framesPlayed: playback["framesPlayed"]?.integer,
      stretches: (playback["segments"]?.array ?? []).map {
        TrialResult.Stretch(onset: $0.time("onset_ns"), offset: $0.time("offset_ns"))
      },
      underruns: playback["underruns"]?.integer, failure: playback["failure"]?.string,
      speaker: playback["speaker"].flatMap(TrialResult.Speaker.init))
  }
}

extension TrialResult.Speaker {
  fileprivate init?(_ speaker: JSONValue) {
    guard speaker.object != nil else { return nil }
    let volume = speaker["volume"].flatMap { $0.object == nil ? nil : $0 }
    self.init(
      kind: speaker["kind"]?.string, server: speaker["server"]?.string, sink: speaker["sink"]?.string,
      sinkRate: speaker["sinkRate"]?.integer, isAudible: speaker["audible"]?.bool,
      isResampled: speaker["resampled"]?.bool, outputLatency: speaker.time("outputLatency_ns"),
      volume: volume.map { volume in
        TrialResult.Volume(
          sink: (volume["sink_percent"]?.array ?? []).compactMap(\.number),
          stream: (volume["stream_percent"]?.array ?? []).compactMap(\.number))
      })
  }
}

extension TrialResult.Clock {
  fileprivate init(_ clock: JSONValue) {
    func reading(_ uncertainty: String, _ synchronized: String) -> TrialResult.Reading {
      TrialResult.Reading(uncertainty: clock.time(uncertainty), isSynchronized: clock[synchronized]?.bool)
    }
    self.init(
      zero: clock["zero"]?.string.flatMap { WallTime($0) }, atZero: reading("uncertainty_ns", "synchronized"),
      atEnd: clock["end"]?.string.map { _ in reading("endUncertainty_ns", "endSynchronized") },
      drift: clock.time("drift_ns"))
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
    // Earlier results have two times under other names.
    guard let identifier = step["identifier"]?.string, let shown = step.time("shown_ns") ?? step.time("start_ns")
    else { return nil }
    self.init(
      identifier: identifier, shown: shown, begun: step.time("begun_ns"), finished: step.time("finished_ns"),
      left: step.time("left_ns") ?? step.time("end_ns"), hasActiveTimes: step["begun_ns"] != nil)
  }
}

extension TrialResult.Recorder {
  fileprivate init?(_ recording: JSONValue) {
    guard let identifier = recording["identifier"]?.string else { return nil }
    self.init(
      identifier: identifier,
      sensor: TrialResult.Sensor(
        name: recording["sensor"]?["name"]?.string, device: recording["sensor"]?["device"]?["name"]?.string,
        latency: recording["sensor"]?["latency_ms"]?.length),
      step: recording["step"]?.string, unit: recording["unit"]?.string ?? "",
      samples: max(0, recording["samples"]?.integer ?? 0), late: max(0, recording["late"]?.integer ?? 0),
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
  /// The length that a number of milliseconds is; `nil` for what no trial can have.
  fileprivate var length: Duration? {
    number.flatMap { $0.magnitude * 1e6 <= Double(Plausible.nanoseconds.upperBound) ? Duration(milliseconds: $0) : nil }
  }

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
