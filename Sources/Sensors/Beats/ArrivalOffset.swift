import Basics
import Quantities
import Recordings

/// Estimates the offset between a source's time and the monotonic clock from arrivals, which can be late but never
/// early.
///
/// The offset is the smallest delay seen (arrival minus source time). An arrival with a smaller delay lowers it
/// immediately. A single late arrival proves nothing, so the offset is raised only on evidence:
/// - Source time that is a sum of intervals pauses when intervals are lost. A single arrival later than ``gap``, or ten
///   arrivals in a row later than ``loss``, shows such a pause: ``Placement/restarted``. A clock never pauses; late
///   arrivals were then held back in transit.
/// - If all arrivals within a ``window``, at least ten, are later than ``deadBand``, the source's clock is slow and the
///   offset follows it. Crystals differ by up to 100 ppm, 0.36 s per hour; within the dead band the offset does not
///   change, so that the source's intervals are preserved exactly.
struct ArrivalOffset: Sendable {
  /// A single arrival later than this restarts the estimate.
  static let gap = Duration.milliseconds(2500)
  /// Ten arrivals in a row later than this restart the estimate; it is the lateness at which the analysis finds a gap
  /// between beats.
  static let loss = Duration(seconds: BeatPlacement.longestSlip)
  /// How long arrivals must have been late before the offset follows a slow clock.
  static let window = Duration.seconds(120)
  /// How late they must have been.
  static let deadBand = Duration.milliseconds(20)

  /// What an arrival did to the estimate.
  enum Placement { case settled, lowered, raised, restarted }

  /// Whether source time can pause.
  private let canPause: Bool
  // Nanoseconds as doubles since the first arrival, where they are exact.
  private var origin: Moment?
  private var offset = 0.0
  private var recent: [Double] = []
  private var windowStart = 0.0
  private var windowDelay = Double.infinity
  private var windowCount = 0

  /// Creates an estimate without data.
  ///
  /// - Parameter canPause: whether source time can pause because it is a sum of intervals, not a clock.
  init(canPause: Bool) { self.canPause = canPause }

  /// How much earlier an arrival is than the source's time allows; negative if late, zero before the first arrival.
  func excess(ofSource source: Double, arrival: Moment) -> Duration {
    guard let origin else { return .zero }
    return Duration(nearestNanoseconds: source + offset - Double(origin.duration(to: arrival).nanoseconds))
  }

  /// Updates the estimate with an arrival.
  ///
  /// - Parameters:
  ///   - source: the source's time, in nanoseconds since any origin of its own.
  ///   - arrival: its arrival, minus the source's known latency.
  /// - Returns: what the arrival did to the estimate.
  @discardableResult
  mutating func learn(source: Double, arrival: Moment) -> Placement {
    guard let origin else {
      origin = arrival
      begin(source: source, now: 0)
      return .restarted
    }
    let now = Double(origin.duration(to: arrival).nanoseconds)
    let delay = now - source
    if canPause, delay - offset > Double(Self.gap.nanoseconds) {
      begin(source: source, now: now)
      return .restarted
    }
    recent.append(delay)
    if recent.count > 10 { recent.removeFirst() }
    windowDelay = min(windowDelay, delay)
    windowCount += 1
    if delay < offset {
      offset = delay
      return .lowered
    }
    if canPause, recent.count == 10, let least = recent.min(), least - offset > Double(Self.loss.nanoseconds) {
      begin(source: source, now: now)
      offset = least
      return .restarted
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

  /// Converts the source's time to the monotonic clock; `nil` before the first arrival.
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
