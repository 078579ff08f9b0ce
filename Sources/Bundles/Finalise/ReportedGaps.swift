import Basics
import Quantities

/// The stretches of a sensor's stream of which it said itself that nothing is known, because it did not touch the skin or
/// saw no pulse: a fold of its readings in the journal's order.
///
/// A stretch goes from the last beat before to the first one after, and the sensor has said in between that it has no
/// contact or no pulse. What it sends without contact is recorded, but nothing is known by it. A silence has to be much
/// longer before it counts, because some sensors send seldom; here the sensor itself says that something is missing.
struct ReportedGaps {
  /// What is not longer than this is no stretch: so long a sensor's heart rate may stand for, in analyses too.
  static let maxBridge = Duration.seconds(2)

  /// A stretch, and why nothing is known of it.
  struct Stretch: Equatable {
    let span: Range<Duration>
    let cause: TrialRecord.Gap.Cause
  }

  /// Until when something was known.
  private var known: Duration?
  /// The latest time of which the sensor said that nothing is known, and why it said so first; `nil` when something was
  /// known since.
  private var off: (time: Duration, cause: TrialRecord.Gap.Cause)?
  private var ended: [Stretch] = []

  /// Takes the next reading, which happened at `time`.
  mutating func take(_ reading: SensorReading, at time: Duration) {
    let hasValue = reading.heartRate != nil || !reading.rrIntervals.isEmpty
    let start = time - reading.rrIntervals.reduce(.zero) { $0 + Duration(milliseconds: $1) }
    take(contact: reading.contact, hasProblem: reading.problem != nil, from: start, to: time, hasValue: hasValue)
  }

  /// Takes the next sample of a channel, which happened at `time`.
  mutating func take(_ sample: SensorSample, at time: Duration) {
    take(contact: sample.contact, hasProblem: false, from: time, to: time, hasValue: true)
  }

  private mutating func take(
    contact: Bool?, hasProblem: Bool, from start: Duration, to time: Duration, hasValue: Bool
  ) {
    if contact == false || hasProblem {
      known = known ?? time
      off = (max(off?.time ?? time, time), off?.cause ?? (contact == false ? .noContact : .noPulse))
    } else if hasValue {
      if let off, let known, time > off.time {
        if start - known > Self.maxBridge { ended.append(Stretch(span: known..<start, cause: off.cause)) }
        self.off = nil
      }
      known = max(known ?? time, time)
    }
  }

  /// The parts of the stretches that lie in a time, by their start; one that has not ended lasts as long as that time.
  func stretches(within span: Range<Duration>) -> [Stretch] {
    var all = ended
    if let off, let known, known < span.upperBound {
      all.append(Stretch(span: known..<span.upperBound, cause: off.cause))
    }
    return all.compactMap { stretch in
      let part = stretch.span.clamped(to: span)
      return part.upperBound - part.lowerBound > Self.maxBridge ? Stretch(span: part, cause: stretch.cause) : nil
    }
  }
}
