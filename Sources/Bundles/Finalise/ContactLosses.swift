import Basics
import Quantities

/// The stretches of a sensor's stream in which it did not touch the skin: a fold of its readings in the journal's order.
///
/// A stretch goes from the last beat that came with contact to the first that does again, and the sensor has said in
/// between that it has no contact. What it sends without contact is recorded, but nothing is known by it. A silence has to
/// be much longer before it counts, because some sensors send seldom; here the sensor itself says that something is
/// missing.
struct ContactLosses {
  /// What is not longer than this is no stretch: so long a sensor's heart rate may stand for, in analyses too.
  static let longestBridge = Duration.seconds(2)

  /// Until when something came with contact.
  private var known: Duration?
  /// The latest time at which the sensor had no contact; `nil` when something came with contact since.
  private var off: Duration?
  private var ended: [Range<Duration>] = []

  /// Takes the next reading, which happened at `time`.
  mutating func take(_ reading: SensorReading, at time: Duration) {
    let hasValue = reading.heartRate != nil || !reading.rrIntervals.isEmpty
    let start = time - reading.rrIntervals.reduce(.zero) { $0 + Duration(milliseconds: $1) }
    take(contact: reading.contact, from: start, to: time, hasValue: hasValue)
  }

  /// Takes the next sample of a channel, which happened at `time`.
  mutating func take(_ sample: SensorSample, at time: Duration) {
    take(contact: sample.contact, from: time, to: time, hasValue: true)
  }

  private mutating func take(contact: Bool?, from start: Duration, to time: Duration, hasValue: Bool) {
    if contact == false {
      known = known ?? time
      off = max(off ?? time, time)
    } else if hasValue {
      if let off, let known, time > off {
        if start - known > Self.longestBridge { ended.append(known..<start) }
        self.off = nil
      }
      known = max(known ?? time, time)
    }
  }

  /// The parts of the stretches that lie in a time, by their start; one that has not ended lasts as long as that time.
  func stretches(within span: Range<Duration>) -> [Range<Duration>] {
    var all = ended
    if off != nil, let known, known < span.upperBound { all.append(known..<span.upperBound) }
    return all.compactMap { stretch in
      let part = stretch.clamped(to: span)
      return part.upperBound - part.lowerBound > Self.longestBridge ? part : nil
    }
  }
}
