import Basics
import Quantities
import Recordings

/// How a source's own time lies on ours, learnt from arrivals, which can be late but never early.
///
/// The offset is the smallest delay seen (arrival minus source time): an arrival that is earlier than the offset allows
/// lowers it at once. It is raised only on evidence, since one late arrival proves nothing:
/// - where source time can stand still, because it is a sum of intervals of which some may be lost, one arrival later than
///   ``gap`` says that it did: ``Placement/afresh``; ten arrivals in a row that are all more than ``loss`` late say the
///   same of a smaller loss. A clock never stands still: what comes late of it was held back on its way;
/// - a ``window`` in which all arrivals, at least ten, are more than ``deadBand`` late says that the source's clock is slow:
///   the offset follows it. Crystals differ by up to 100 ppm, 0.36 s an hour; within the dead band the offset stays as it
///   is, so that the source's intervals are kept exactly.
struct ArrivalOffset: Sendable {
  /// A single arrival that is later than this begins afresh.
  static let gap = Duration.milliseconds(2500)
  /// Ten arrivals in a row that are later than this begin afresh: where an analysis would find a gap between beats.
  static let loss = Duration(seconds: BeatPlacement.longestSlip)
  /// How long the arrivals must have been late before a slow clock is followed.
  static let window = Duration.seconds(120)
  /// How late they must have been for that.
  static let deadBand = Duration.milliseconds(20)

  /// What an arrival meant.
  enum Placement { case settled, lowered, raised, afresh }

  /// Whether source time can stand still.
  private let standsStill: Bool
  // Nanoseconds in doubles, counted from the first arrival so that they are exact.
  private var origin: Moment?
  private var offset = 0.0
  private var recent: [Double] = []
  private var windowStart = 0.0
  private var windowDelay = Double.infinity
  private var windowCount = 0

  /// An offset of which nothing is known.
  ///
  /// - Parameter standsStill: whether source time can stand still: it is a sum of intervals, not a clock.
  init(standsStill: Bool) { self.standsStill = standsStill }

  /// How much earlier an arrival is than the source's time allows; negative when it is late, zero before the first.
  func excess(ofSource source: Double, arrival: Moment) -> Duration {
    guard let origin else { return .zero }
    return Duration(nearestNanoseconds: source + offset - Double(origin.duration(to: arrival).nanoseconds))
  }

  /// Learns from an arrival.
  ///
  /// - Parameters:
  ///   - source: the source's time, in nanoseconds since any origin of its own.
  ///   - arrival: when that arrived, with the source's known latency taken off.
  /// - Returns: what it meant.
  @discardableResult
  mutating func learn(source: Double, arrival: Moment) -> Placement {
    guard let origin else {
      origin = arrival
      begin(source: source, now: 0)
      return .afresh
    }
    let now = Double(origin.duration(to: arrival).nanoseconds)
    let delay = now - source
    if standsStill, delay - offset > Double(Self.gap.nanoseconds) {
      begin(source: source, now: now)
      return .afresh
    }
    recent.append(delay)
    if recent.count > 10 { recent.removeFirst() }
    windowDelay = min(windowDelay, delay)
    windowCount += 1
    if delay < offset {
      offset = delay
      return .lowered
    }
    if standsStill, recent.count == 10, let least = recent.min(), least - offset > Double(Self.loss.nanoseconds) {
      begin(source: source, now: now)
      offset = least
      return .afresh
    }
    guard now - windowStart >= Double(Self.window.nanoseconds), windowCount >= 10 else { return .settled }
    let least = windowDelay
    windowStart = now
    windowDelay = delay
    windowCount = 1
    guard least - offset > Double(Self.deadBand.nanoseconds) else { return .settled }
    offset = least
    return .raised
  }

  /// Our moment of the source's time; `nil` before the first arrival.
  func moment(ofSource source: Double) -> Moment? {
    origin.map { $0.advanced(by: Duration(nearestNanoseconds: source + offset)) }
  }

  private mutating func begin(source: Double, now: Double) {
    offset = now - source
    recent = [offset]
    windowStart = now
    windowDelay = offset
    windowCount = 1
  }
}
