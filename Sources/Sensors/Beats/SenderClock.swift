import Basics
import Quantities

/// Converts the times that a sender attaches to its samples to the monotonic clock.
///
/// The sender's clock only has to run forward; its origin does not matter. Its offset is the smallest delay seen, minus
/// the sensor's latency, so that lines delayed by the network keep the sender's time and do not move others. Lines need
/// not come in the order of their times: one that others overtook is late, and so are all lines of a channel that the
/// sender computes later than its others.
///
/// A clock that was set, or a sender that restarted, is a ``Jump``: from there on the offset is estimated again, so that
/// no sample is placed outside the trial. A step back is a jump if it is longer than any known lateness, or if ten
/// arrivals in a row are late by it; a late line is followed by prompt ones. If a prompt one still comes, there was no
/// jump: the offset is restored, and lines as late as that are expected from then on.
struct SenderClock: Sendable {
  /// The threshold for a step forward that arrivals do not explain: a longer one is a jump of the clock; a shorter one
  /// means that the preceding samples were late.
  static let maxDelay = Duration.seconds(60)
  /// The number of late arrivals in a row that show a jump.
  private static let evidence = 10

  /// A discontinuity of the sender's clock.
  struct Jump: Hashable, Sendable {
    /// The sender's time before the jump, in seconds.
    let before: Double
    /// The sender's time after the jump, in seconds.
    let after: Double
  }

  /// A step back that ends in a jump or was a late line.
  private struct Suspicion: Sendable {
    let jump: Jump
    /// The longest delay before, in nanoseconds.
    let delay: Double
    var arrivals = 0
  }

  /// The clock before a jump, to which late lines may still belong.
  private struct Former: Sendable {
    let offset: ArrivalOffset
    /// The latest time, in seconds.
    let time: Double
    /// The longest delay before the jump, in nanoseconds.
    let delay: Double
    /// By how much the delay grew; infinite for a jump forward, which no late line looks like.
    let shift: Double
    /// When the jump was noticed.
    let noticed: Double
  }

  private let latency: Duration
  private var offset = ArrivalOffset(.clock)
  // Nanoseconds as doubles since the first arrival.
  private var origin: Moment?
  /// The latest time, in seconds.
  private var latest: Double?
  /// The delays of the latest arrivals.
  private var delays: [Double] = []
  /// How late lines were that followed later ones.
  private var lateness = 0.0
  private var suspicion: Suspicion?
  private var former: Former?
  private var jumps: [Jump] = []

  init(latency: Duration) { self.latency = latency }

  /// Converts sender times in seconds that arrived together; they are placed together, by the latest of them.
  mutating func moments(of times: [Double], arrived: Moment) -> [Moment] {
    let arrival = arrived.advanced(by: .zero - latency)
    var moments: [Moment] = []
    moments.reserveCapacity(times.count)
    var start = 0
    while start < times.count {
      var end = times[start]
      var stop = start + 1
      // These can belong to the same run of the clock, whatever the offset.
      while stop < times.count, times[stop] - end <= Self.maxDelay.seconds,
        (end - times[stop]) * 1e9 <= longestOvertaking
      {
        end = max(end, times[stop])
        stop += 1
      }
      let offset = learn(from: times[start], to: end, arrival: arrival)
      for time in times[start..<stop] { moments.append(min(offset.moment(ofSource: time * 1e9) ?? arrival, arrival)) }
      start = stop
    }
    return moments
  }

  /// Returns the jumps since the last call and clears them.
  mutating func takeJumps() -> [Jump] {
    defer { jumps = [] }
    return jumps
  }

  /// The longest lateness of a single line that is no jump, in nanoseconds.
  private var longestOvertaking: Double { max(Double(ArrivalOffset.gap.nanoseconds), lateness) }

  /// The lateness that is no sign of a jump, however many lines have it, in nanoseconds.
  private var longestHarmless: Double { max(Double(ArrivalOffset.loss.nanoseconds), lateness) }

  /// Takes an arrival of times from a first to a latest one.
  ///
  /// - Returns: the offset that places them.
  private mutating func learn(from first: Double, to time: Double, arrival: Moment) -> ArrivalOffset {
    let origin = origin ?? arrival
    self.origin = origin
    let now = Double(origin.duration(to: arrival).nanoseconds)
    let delay = now - time * 1e9
    if let past = former(at: now, delay: delay) {
      guard time - past.time > ArrivalOffset.loss.seconds * 2, delay - past.delay <= longestHarmless,
        past.shift <= Double(Self.maxDelay.nanoseconds)
      else { return past.offset }
      // The clock went on: there was no jump.
      (offset, lateness, delays) = (past.offset, max(lateness, 1.5 * past.shift), [])
      (latest, former, suspicion) = (nil, nil, nil)
    }
    if let latest, let usual = delays.max() {
      let step = Jump(before: latest, after: first)
      if offset.excess(ofSource: first * 1e9, arrival: arrival) > Self.maxDelay {
        jump(step, shift: .infinity, usual: usual, now: now)
      } else if time < latest, delay - usual > longestOvertaking {
        jump(step, shift: delay - usual, usual: usual, now: now)
      } else {
        if time < latest, suspicion == nil, delay - usual > longestHarmless {
          suspicion = Suspicion(jump: step, delay: usual)
        }
        judgeSuspicion(delay: delay, now: now)
      }
    }
    offset.learn(source: time * 1e9, arrival: arrival)
    delays = delays.suffix(Self.evidence - 1) + [delay]
    latest = max(latest ?? time, time)
    return offset
  }

  /// The clock before a jump, if an arrival fits it better than the clock since.
  private mutating func former(at now: Double, delay: Double) -> Former? {
    guard let past = former, let since = delays.min() else { return nil }
    guard now - past.noticed <= Double(ArrivalOffset.window.nanoseconds) else {
      former = nil
      return nil
    }
    let distance = abs(delay - past.delay)
    return distance < min(abs(delay - since), Double(Self.maxDelay.nanoseconds)) ? past : nil
  }

  /// Counts the arrivals since a step back; a prompt one shows that the line was late.
  private mutating func judgeSuspicion(delay: Double, now: Double) {
    guard var suspected = suspicion else { return }
    guard delay - suspected.delay > longestHarmless else {
      suspicion = nil
      return
    }
    suspected.arrivals += 1
    suspicion = suspected
    guard suspected.arrivals == Self.evidence else { return }
    jump(suspected.jump, shift: delay - suspected.delay, usual: suspected.delay, now: now)
  }

  private mutating func jump(_ jump: Jump, shift: Double, usual: Double, now: Double) {
    jumps.append(jump)
    former = Former(offset: offset, time: jump.before, delay: usual, shift: shift, noticed: now)
    offset = ArrivalOffset(.clock)
    (latest, suspicion, delays) = (nil, nil, [])
  }
}

/// Places the frames of a waveform in time.
///
/// Where the sender gives no times, they are counted: a frame follows the one before by the nominal rate, and the offset
/// is that of the smallest delay seen. Frames that arrive much later than their count allows come after a pause.
struct FrameClock: Sendable {
  /// Frames that arrived together.
  struct Batch: Sendable {
    let count: Int
    let rate: Double
    /// When the last frame happened by the sender's clock; `nil` if it gives no time.
    let end: Moment?
  }

  private let latency: Duration
  private var counted = ArrivalOffset(.frames)
  /// The time of the frames so far by their count, in seconds.
  private var elapsed = 0.0

  init(latency: Duration) { self.latency = latency }

  /// The time of the first frame of each batch; all arrived together.
  mutating func moments(of batches: [Batch], arrived: Moment) -> [Moment] {
    let arrival = arrived.advanced(by: .zero - latency)
    var ends: [Double] = []
    for batch in batches where batch.end == nil {
      elapsed += Double(batch.count) / batch.rate
      ends.append(elapsed * 1e9)
      counted.learn(source: elapsed * 1e9, arrival: arrival)
    }
    var untimed = ends.map { min(counted.moment(ofSource: $0) ?? arrival, arrival) }.makeIterator()
    return batches.map { batch in
      let last = batch.end ?? untimed.next() ?? arrival
      return last.advanced(by: .zero - Duration(nearestNanoseconds: Double(batch.count - 1) / batch.rate * 1e9))
    }
  }

  /// Leaves room for frames that were counted by the sender and did not arrive.
  mutating func skip(_ count: Int, rate: Double) { elapsed += Double(count) / rate }

  /// How much later than their count says the last of the next frames without a time arrives, in seconds.
  func lateness(ofFrames count: Int, rate: Double, arrived: Moment) -> Double {
    let arrival = arrived.advanced(by: .zero - latency)
    return -counted.excess(ofSource: (elapsed + Double(count) / rate) * 1e9, arrival: arrival).seconds
  }
}
