import Basics
package import Quantities

/// One played clip of a check.
package struct OnsetTrial: Sendable {
  /// When `play` was called.
  package var called: Moment
  /// The scheduled onset.
  var scheduled: Moment
  /// When `play` returned.
  var returned: Moment
  /// The measured onset.
  var onset: MeasuredMoment?
  /// The measured offset.
  var end: MeasuredMoment?
  /// The number of frames played.
  var frames = 0
  /// Whether every frame was played.
  var isWhole = false
  /// The number of underruns, playback shifts and other disturbances during the clip.
  var disturbances = 0
  /// The other programs with a stream open on the same sink; the server does not report whether it was silent.
  var otherPrograms: [String] = []

  /// The onset error: measured less scheduled onset.
  var error: Duration? { onset.map { scheduled.duration(to: $0.moment) } }

  /// The trial as a JSON line, with times in nanoseconds of CLOCK_MONOTONIC to compare with other measurements.
  package var json: String {
    var object: [(String, Int64)] = [("t_call", called.nanoseconds), ("t_sched", scheduled.nanoseconds)]
    if let onset {
      object += [("claim", onset.moment.nanoseconds), ("uncertainty", onset.uncertainty.nanoseconds)]
    }
    if let end {
      object += [("end", end.moment.nanoseconds), ("end_uncertainty", end.uncertainty.nanoseconds)]
    }
    object += [
      ("t_ret", returned.nanoseconds), ("frames", Int64(frames)), ("disturbances", Int64(disturbances)),
    ]
    let others = String(decoding: JSONValue.array(otherPrograms.map(JSONValue.string)).encoded(), as: UTF8.self)
    let members = object.map { "\"\($0.0)\":\($0.1)" } + ["\"other_programs\":\(others)"]
    return "{" + members.joined(separator: ",") + "}"
  }

  /// Plays a stimulus at a random time soon after the previous one, and measures its onset.
  package static func play(
    _ stimulus: Stimulus, through speaker: any Speaker, after last: OnsetTrial?
  ) async throws -> OnsetTrial {
    let clock = MonotonicClock()
    // At least 350 ms of silence, never synchronous with the sink's periods.
    if let end = last?.end?.moment.advanced(by: .milliseconds(240)) {
      try await clock.sleep(until: end, tolerance: nil)
    }
    let called = clock.now
    let earliest = called.advanced(by: max(.milliseconds(150), speaker.description.lead + .milliseconds(20)))
    let moment = earliest.advanced(by: .microseconds(Int.random(in: 0..<100_000)))
    let playback = try await speaker.play(stimulus, at: moment)
    var trial = OnsetTrial(called: called, scheduled: moment, returned: clock.now)
    for await event in playback.events {
      switch event {
      case .started(let onset): trial.onset = onset
      case .ended(let end, let frames):
        trial.end = end
        trial.frames = frames
        trial.isWhole = frames == stimulus.frames
      case .disturbed(.otherProgram(let name)): trial.otherPrograms.append(name)
      case .disturbed: trial.disturbances += 1
      case .failed(let reason): throw SoundServerError(action: "go on", reason: reason)
      }
    }
    return trial
  }
}
