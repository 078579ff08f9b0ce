import Glibc
import JSON
import Quantities
import Sound

/// `station check onset`: plays short clips at scheduled moments and says how punctual this machine is.
struct CheckOnsetCommand: Sendable {
  /// An mp3 file; `nil` plays a tone of 200 ms at the sink's own rate.
  var clip: String?
  /// How many clips are played.
  var trials = 25
  /// A sink's name, or `silent`; `nil` takes the server's own choice.
  var speaker: String?
  /// One JSON object a trial instead of a table.
  var jsonLines = false

  /// Plays, and writes what was measured.
  ///
  /// - Parameter line: where lines go.
  /// - Returns: whether this machine is good enough to run experiments on.
  /// - Throws: `PulseAudioError` where there is no sound server or the sound is lost, `ClipError` for a file that is no clip.
  /// - Throws: what the speaker and the clip throw.
  func run(_ line: (String) -> Void) async throws -> Bool {
    let speaker =
      self.speaker == "silent" ? try await PulseSpeaker.silent() : try await PulseSpeaker(sink: self.speaker)
    let stimulus = try clip.map(Self.stimulus) ?? Self.tone(rate: speaker.description.sinkRate ?? 48_000)
    try await speaker.prepare(stimulus.format)
    var results: [OnsetTrial] = []
    if !jsonLines { line(OnsetReport.head(speaker.description, stimulus)) }
    for number in 1...max(trials, 1) {
      let trial = try await play(stimulus, through: speaker, after: results.last)
      results.append(trial)
      line(jsonLines ? trial.json : OnsetReport.row(number, trial))
    }
    await speaker.close()
    let report = OnsetReport(results)
    if !jsonLines { for text in report.summary { line(text) } }
    return report.isGood
  }

  private func play(
    _ stimulus: Stimulus, through speaker: PulseSpeaker, after last: OnsetTrial?
  ) async throws -> OnsetTrial {
    let clock = MonotonicClock()
    // At least 350 ms of silence, and never in step with the sink.
    if let end = last?.end { try await clock.sleep(until: end.advanced(by: .milliseconds(240)), tolerance: nil) }
    let called = clock.now
    let earliest = called.advanced(by: max(.milliseconds(150), speaker.description.lead + .milliseconds(20)))
    let moment = earliest.advanced(by: .microseconds(Int.random(in: 0..<100_000)))
    let playback = try await speaker.play(stimulus, at: moment)
    var trial = OnsetTrial(called: called, scheduled: moment, returned: clock.now)
    for await event in playback.events {
      switch event {
      case .started(let onset): trial.onset = onset
      case .ended(let end, let frames):
        trial.end = end.moment
        trial.isWhole = frames == stimulus.frames
      case .disturbed: trial.disturbances += 1
      case .failed(let reason): throw PulseAudioError(action: "go on", reason: reason)
      }
    }
    return trial
  }

  private static func stimulus(_ path: String) throws -> Stimulus {
    var reader = try MP3Reader(path, hashing: false)
    var samples: [Float] = []
    // A minute is more than any check needs.
    _ = try reader.read(upTo: 60 * reader.format.sampleRate, into: &samples)
    return Stimulus(format: reader.format, samples: samples)
  }

  /// A cosine of 1 kHz that begins at its peak, so that its first frame is its loudest.
  private static func tone(rate: Int) -> Stimulus {
    let samples = (0..<rate / 5).flatMap { frame in
      let value = Float(0.5 * cos(2 * .pi * 1000 * Double(frame) / Double(rate)))
      return [value, value]
    }
    return Stimulus(format: SoundFormat(sampleRate: rate, channels: 2), samples: samples)
  }
}

/// One clip of a check.
struct OnsetTrial: Sendable {
  /// When `play` was called.
  var called: Moment
  /// When the clip was to begin.
  var scheduled: Moment
  /// When `play` returned.
  var returned: Moment
  /// When it did begin.
  var onset: MeasuredMoment?
  /// When it ended.
  var end: Moment?
  /// Whether every frame was played.
  var isWhole = false
  /// How often something went wrong meanwhile.
  var disturbances = 0

  /// How late it began.
  var error: Duration? { onset.map { scheduled.duration(to: $0.moment) } }

  /// Moments in nanoseconds of CLOCK_MONOTONIC, for who compares them with a measurement of his own.
  var json: String {
    var object: [(String, Int64)] = [("t_call", called.nanoseconds), ("t_sched", scheduled.nanoseconds)]
    if let onset {
      object += [("claim", onset.moment.nanoseconds), ("uncertainty", onset.uncertainty.nanoseconds)]
    }
    object.append(("t_ret", returned.nanoseconds))
    return "{" + object.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
  }
}
