import Basics
import Glibc
package import Quantities

/// One played clip of a check.
package struct OnsetTrial: Sendable {
  package var called: Moment
  var scheduled: Moment
  var returned: Moment
  var onset: MeasuredMoment?
  var end: MeasuredMoment?
  var frames = 0
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

extension Stimulus {
  /// Reads the first minute of a clip, more than any check needs.
  package static func firstMinute(of path: String) throws -> Stimulus {
    var reader = try ClipReader(path, hashing: false)
    var samples: [Float] = []
    _ = try reader.read(upTo: 60 * reader.format.sampleRate, into: &samples)
    return Stimulus(format: reader.format, samples: samples)
  }

  /// Makes a cosine of 1 kHz and 200 ms that begins at its peak, so that its first frame is its loudest.
  package static func tone(rate: Int) -> Stimulus {
    let samples = (0..<rate / 5).flatMap { frame in
      let value = Float(0.5 * cos(2 * .pi * 1000 * Double(frame) / Double(rate)))
      return [value, value]
    }
    return Stimulus(format: SoundFormat(sampleRate: rate, channels: 2), samples: samples)
  }
}
