import Basics
import Bundles
import Quantities
import Sensors
import Signals
import Study

/// Finds the heartbeat that a sound is to follow: takes what a sensor says, and says when the sound is due.
struct HeartLockMachine: Sendable {
  /// What follows from an event.
  enum Output: Hashable, Sendable {
    /// An R peak is over.
    case triggered(peak: Moment)
    /// The sound that waits is due at this moment, after this R peak.
    case ready(due: Moment, peak: Moment, predictor: String?)
    /// No sound can follow the heartbeats of this sensor so.
    case refused(HeartLockFailure)
  }

  /// The number of beats that may be known too late before that is a reason to give up.
  static let patience = 3
  /// The times of beats and the sum of their intervals agree to this, or the chain is broken.
  static let agreement = Duration.milliseconds(500)

  private var lock: OnsetLock
  /// How long before its onset the sound that waits is handed over; `nil` while none waits.
  private var lead: Duration?
  private var late = 0
  private var format: WaveformFormat?
  private var trigger: RPeakTrigger?
  private var zero = Moment(nanoseconds: 0)
  private var predictor = BeatPredictor()
  private var lastBeat: Moment?

  init(_ lock: OnsetLock) { self.lock = lock }

  /// The machine for a sound that follows the same heartbeats, perhaps after another delay; none waits yet.
  func following(_ lock: OnsetLock) -> HeartLockMachine {
    var copy = self
    (copy.lock, copy.lead) = (lock, nil)
    return copy
  }

  /// A sound waits for the next heartbeat.
  mutating func wait(lead: Duration) { (self.lead, late) = (lead, 0) }

  /// No sound waits any more.
  mutating func stopWaiting() { lead = nil }

  /// Takes what the sensor says.
  mutating func take(_ event: SensorEvent, at now: Moment) -> [Output] {
    switch (lock.beat, event) {
    case (.detected, .waveform(let frames)) where frames.format.type == .electrocardiogram: take(frames, at: now)
    case (.predicted, .readings(let readings)):
      take(readings.filter { !$0.rrIntervals.isEmpty }, at: now)
    case (_, .lost), (_, .ended):
      lost()
    default: []
    }
  }

  private mutating func lost() -> [Output] {
    (trigger, format, lastBeat) = (nil, nil, nil)
    predictor.interrupt()
    return []
  }

  // MARK: Detected

  private mutating func take(_ frames: WaveformFrames, at now: Moment) -> [Output] {
    guard frames.format.rate >= RPeakTrigger.minRate else {
      return refuse(.tooFewSamples(rate: frames.format.rate, least: RPeakTrigger.minRate))
    }
    if format != frames.format {
      (format, zero) = (frames.format, frames.happened)
      trigger = RPeakTrigger(rate: frames.format.rate)
    }
    let width = frames.format.channels.count
    let start = zero.duration(to: frames.happened).seconds
    var outputs: [Output] = []
    for frame in 0..<frames.count {
      let time = start + Double(frame) / frames.format.rate
      guard let found = trigger?.take(Double(frames.values[frame * width]), at: time) else { continue }
      let peak = zero.advanced(by: Duration(seconds: found.peak))
      outputs.append(.triggered(peak: peak))
      outputs += decide(peak, predictor: nil, at: now)
    }
    return outputs
  }

  // MARK: Predicted

  private mutating func take(_ readings: [HeartReading], at now: Moment) -> [Output] {
    for reading in readings { learn(reading) }
    guard let newest = readings.last, let next = predictor.next else { return [] }
    let interval = Duration(seconds: next)
    let latency = newest.happened.duration(to: now)
    if latency >= interval { return tooLate(.beatsTooLate(latency: latency, interval: interval)) }
    return decide(newest.happened.advanced(by: interval), predictor: predictor.method?.description, at: now)
  }

  private mutating func learn(_ reading: HeartReading) {
    let sum = Duration(milliseconds: reading.rrIntervals.reduce(0, +))
    if let lastBeat {
      let passed = lastBeat.duration(to: reading.happened)
      if max(passed - sum, sum - passed) > Self.agreement { predictor.interrupt() }
    }
    lastBeat = reading.happened
    for interval in reading.rrIntervals { predictor.add(interval / 1000) }
  }

  // MARK: Deciding

  private mutating func decide(_ peak: Moment, predictor: String?, at now: Moment) -> [Output] {
    guard let lead else { return [] }
    let due = peak.advanced(by: lock.delay)
    guard due < now.advanced(by: lead) else {
      self.lead = nil
      return [.ready(due: due, peak: peak, predictor: predictor)]
    }
    return tooLate(.tooShort(delay: lock.delay, needed: peak.duration(to: now) + lead, beat: lock.beat))
  }

  /// A beat was known too late for the sound that waits.
  private mutating func tooLate(_ failure: HeartLockFailure) -> [Output] {
    guard lead != nil else { return [] }
    late += 1
    return late >= Self.patience ? refuse(failure) : []
  }

  private mutating func refuse(_ failure: HeartLockFailure) -> [Output] {
    guard lead != nil else { return [] }
    lead = nil
    return [.refused(failure)]
  }
}

/// Why no sound can follow the heartbeats of a sensor.
enum HeartLockFailure: Error, Hashable, Sendable {
  /// No heartbeat was found for so long.
  case noBeat(Duration)
  /// The electrocardiogram has too few samples a second.
  case tooFewSamples(rate: Double, least: Double)
  /// The beats arrive later than the next one is due.
  case beatsTooLate(latency: Duration, interval: Duration)
  /// A sound needs more time.
  case tooShort(delay: Duration, needed: Duration, beat: OnsetLock.Beat)
}

extension HeartLockFailure: CustomStringConvertible {
  /// What failed, why, and what to do.
  var description: String {
    func milliseconds(_ duration: Duration) -> String { "\(duration.milliseconds.fixed(0)) ms" }
    return switch self {
    case .noBeat(let limit):
      "no heartbeat was found for \(Int(limit.seconds)) s; check the electrodes with “station check sensor”"
    case .tooFewSamples(let rate, let least):
      "the electrocardiogram has \(rate.brief) samples a second, and R peaks are detected in time from "
        + "\(least.brief); use a faster sensor, or \"beat\": \"predicted\""
    case .beatsTooLate(let latency, let interval):
      "the sensor's beats arrive \(milliseconds(latency)) after they happened, and the next one follows after "
        + "\(milliseconds(interval)); use an electrocardiogram, or a sensor that is faster than one interval"
    case .tooShort(let delay, let needed, let beat):
      "the sound is to follow the R peak after \(milliseconds(delay)), and needs \(milliseconds(needed)): from the R "
        + "peak until it is known, and to reach the speaker; set delay_ms to \(Int((needed.milliseconds / 10).rounded(.up)) * 10 + 20)"
        + (beat == .detected ? ", or \"beat\" to \"predicted\"" : "")
    }
  }
}
