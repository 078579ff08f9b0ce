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

/// The stretches of time in which samples follow each other closely: whatever the order in which samples arrive, the
/// stretches are those of their times, and what a late sample fills was never a gap.
struct SampleStretches {
  /// Two samples no further apart than this belong to one stretch.
  let reach: Duration

  /// The stretches from the first to the last sample of each, in the order of time, further apart than ``reach``.
  private(set) var all: [ClosedRange<Duration>] = []
  private(set) var samples = 0

  init(reach: Duration) { self.reach = reach }

  /// Takes a sample: an instant, or what it lasted.
  mutating func insert(from start: Duration, to end: Duration) {
    samples += 1
    // Nearly always the last one, or after it.
    var first = all.endIndex
    while first > 0, all[first - 1].upperBound + reach >= start { first -= 1 }
    var next = first
    var merged = min(start, end)...max(start, end)
    while next < all.endIndex, all[next].lowerBound - reach <= end {
      merged = min(merged.lowerBound, all[next].lowerBound)...max(merged.upperBound, all[next].upperBound)
      next += 1
    }
    all.replaceSubrange(first..<next, with: [merged])
  }

  /// The mean time between samples that follow each other; `nil` where none does.
  var interval: Duration? {
    let pairs = samples - all.count
    guard pairs > 0 else { return nil }
    return all.reduce(.zero) { $0 + ($1.upperBound - $1.lowerBound) } / pairs
  }

  /// The parts of a time without a sample that are longer than `longest`.
  func silences(in span: Range<Duration>, longerThan longest: Duration) -> [Range<Duration>] {
    var silences: [Range<Duration>] = []
    var known = span.lowerBound
    for stretch in all where stretch.upperBound >= span.lowerBound && stretch.lowerBound <= span.upperBound {
      if stretch.lowerBound - known > longest { silences.append(known..<stretch.lowerBound) }
      known = max(known, stretch.upperBound)
    }
    if span.upperBound - known > longest { silences.append(known..<span.upperBound) }
    return silences
  }

  /// How much of a time samples cover, each to the next one, but for no longer than ``reach``; at either end as much as
  /// one usual interval may be missing.
  func covered(of span: Range<Duration>) -> Duration {
    let allowance = min(interval ?? .zero, reach)
    var covered = Duration.zero
    var head = span.upperBound
    var tail = span.lowerBound
    for stretch in all {
      let part = (stretch.lowerBound..<stretch.upperBound + reach).clamped(to: span)
      guard !part.isEmpty else { continue }
      covered += part.length
      (head, tail) = (min(head, part.lowerBound), max(tail, part.upperBound))
    }
    guard covered > .zero else { return .zero }
    return covered + min(allowance, head - span.lowerBound) + min(allowance, span.upperBound - tail)
  }
}
