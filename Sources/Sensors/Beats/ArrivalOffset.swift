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
/// - After a pause every arrival is later by what was lost. If one within the next ``window`` is not, there was no pause:
///   arrivals vary more than was assumed. For beats the earlier offset is restored then, and more evidence is required of
///   the next pause. The time of a sensor's frames drifts too much for that conclusion.
/// - If all arrivals within a ``window``, at least ten, are later than ``deadBand``, the source's clock is slow and the
///   offset follows it. Crystals differ by up to 100 ppm, 0.36 s per hour; within the dead band the offset does not
///   change, so that the source's intervals are preserved exactly.
struct ArrivalOffset: Sendable {
  /// A single arrival later than this restarts the estimate.
  static let gap = Duration.milliseconds(2500)
  /// Ten arrivals in a row later than this restart the estimate; it is the lateness at which the analysis finds a gap
  /// between beats.
  static let loss = Duration(seconds: BeatPlacement.maxSlip)
  /// How long arrivals must have been late before the offset follows a slow clock.
  static let window = Duration.seconds(120)
  /// The factor by which it lasts longer where arrivals vary much: of few arrivals, none is early.
  private static let patience = 6.0
  /// How late they must have been.
  static let deadBand = Duration.milliseconds(20)

  /// What an arrival did to the estimate.
  enum Placement { case settled, lowered, raised, restarted }

  /// What source time is.
  enum Source {
    /// A clock, which never pauses.
    case clock
    /// A number of frames at a nominal rate; it pauses where frames are lost.
    case frames
    /// A sum of intervals between beats; it pauses where beats are lost.
    case beats
  }

  private let source: Source
  private var canPause: Bool { source != .clock }
  // Nanoseconds as doubles since the first arrival, where they are exact.
  private var origin: Moment?
  private var offset = 0.0
  private var recent: [Double] = []
  private var windowStart = 0.0
  private var windowDelay = Double.infinity
  private var windowCount = 0
  /// The offsets before pauses that later arrivals may contradict, the latest last.
  private var former: [Former] = []
  /// The number of late arrivals that show a pause, and how late a single one has to be.
  private var evidence = (count: 10, gap: Double(Self.gap.nanoseconds))

  /// An offset before a pause.
  private struct Former: Sendable {
    let offset: Double
    /// When the pause was noticed.
    let noticed: Double
    /// Whether a single arrival showed it.
    let wasSingle: Bool
  }

  /// The most evidence that is required: that many arrivals, or one that late.
  private static let maxEvidence = (count: 160, gap: Double(2 * Self.gap.nanoseconds))

  init(_ source: Source) { self.source = source }

  /// How much earlier an arrival is than the source's time allows; negative if late, zero before the first arrival.
  ///
  /// Where it only contradicts a pause, it is not early.
  func excess(ofSource source: Double, arrival: Moment) -> Duration {
    guard let origin else { return .zero }
    let now = Double(origin.duration(to: arrival).nanoseconds)
    let least = open(at: now).map(\.offset).min() ?? offset
    return Duration(nearestNanoseconds: source + min(offset, least) - now)
  }

  /// The offsets that an arrival may restore.
  private func open(at now: Double) -> [Former] {
    former.filter { now - $0.noticed <= Double(Self.window.nanoseconds) }
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
    former = open(at: now)
    if let index = former.firstIndex(where: { delay - $0.offset < Double(Self.loss.nanoseconds) }) {
      let contradicted = former[index]
      if contradicted.wasSingle {
        evidence.gap = min(2 * evidence.gap, Self.maxEvidence.gap)
      } else {
        evidence.count = min(4 * evidence.count, Self.maxEvidence.count)
      }
      former.removeSubrange(index...)
      begin(source: source, now: now)
      offset = min(contradicted.offset, delay)
      return .lowered
    }
    if canPause, delay - offset > evidence.gap {
      pause(now, wasSingle: true)
      begin(source: source, now: now)
      return .restarted
    }
    recent.append(delay)
    if recent.count > evidence.count { recent.removeFirst() }
    windowDelay = min(windowDelay, delay)
    windowCount += 1
    if delay < offset {
      offset = delay
      return .lowered
    }
    if canPause, recent.count == evidence.count, let least = recent.min(),
      least - offset > Double(Self.loss.nanoseconds)
    {
      pause(now, wasSingle: false)
      begin(source: source, now: now)
      offset = least
      return .restarted
    }
    let window = Double(Self.window.nanoseconds) * (evidence.count > 10 ? Self.patience : 1)
    guard now - windowStart >= window, windowCount >= 10 else { return .settled }
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

  /// Ends source time, which the next arrival begins again; how much arrivals vary stays known.
  mutating func end() {
    origin = nil
    former = []
  }

  private mutating func pause(_ now: Double, wasSingle: Bool) {
    if self.source == .beats { former.append(Former(offset: offset, noticed: now, wasSingle: wasSingle)) }
  }

  private mutating func begin(source: Double, now: Double) {
    offset = now - source
    recent = [offset]
    windowStart = now
    windowDelay = offset
    windowCount = 1
  }
}
