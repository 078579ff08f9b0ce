import Basics
import CSystem
import Glibc
import Quantities
import Synchronization

/// The maximum rate at which the lines of all sources are read, so that floods take no more of the machine than a trial can
/// spare.
///
/// Input beyond it stays in its pipe or socket, and so throttles the sender.
package struct ReadingPace: Hashable, Sendable {
  /// The rate during a trial: 120,000 lines and 32 MB per second, and half the time of one processor.
  static let standard = ReadingPace(lines: 120_000, bytes: 32_000_000, share: 0.5)

  /// No limit, for measuring how fast lines can be read.
  package static let unbounded = ReadingPace(lines: .infinity, bytes: .infinity, share: .infinity)

  /// Lines per second.
  var lines: Double
  /// Bytes per second.
  var bytes: Double
  /// The fraction of one processor's time that reading may take.
  var share: Double
}

/// A leaky bucket that keeps a reader to its pace, with room for a burst.
struct PaceKeeper: Sendable {
  /// The amount of work that may be read without a pause.
  static let burst = Duration.milliseconds(100)

  /// The cost of reading a piece of a stream.
  struct Cost {
    let lines: Int
    let bytes: Int
    let processor: Duration
  }

  private let pace: ReadingPace
  /// When everything read so far would have been read at the pace, in nanoseconds of real time.
  private var due = Int64.min

  init(_ pace: ReadingPace) { self.pace = pace }

  /// Accounts for a piece that was read.
  ///
  /// - Parameters:
  ///   - cost: its cost.
  ///   - sources: the number of sources that share the pace.
  ///   - now: nanoseconds of real time.
  /// - Returns: how long to wait before the next piece; zero for a source within its pace.
  mutating func pause(after cost: Cost, among sources: Int = 1, now: Int64) -> Duration {
    let seconds = max(
      Double(cost.lines) / pace.lines, Double(cost.bytes) / pace.bytes, cost.processor.seconds / pace.share)
    due = max(due, now - Self.burst.nanoseconds) + Int64(seconds * Double(sources) * 1e9)
    return .nanoseconds(max(0, due - now))
  }
}

/// Limits the reading rate of the thread that calls it: measures the cost of reading and returns how long to pause.
///
/// After its first pause, a thread runs at a lower priority than the audio threads.
struct RateLimiter {
  /// Tells one source from others.
  private final class Source: Sendable {}

  /// Whether the latest pause was the first.
  private(set) var hasJustBegun = false

  private let budget: ReadingBudget
  private let source = Source()
  private var keeper: PaceKeeper
  private var processor = Self.processorTime
  private var isOn = false
  private var total = (lines: 0, bytes: 0)

  init(_ budget: ReadingBudget) {
    self.budget = budget
    keeper = PaceKeeper(budget.pace)
  }

  /// How long to pause after a piece of the stream; `nil` for no pause.
  mutating func rest(afterLines lines: Int, bytes: Int) -> Duration? {
    let spent = Self.processorTime
    let cost = PaceKeeper.Cost(lines: lines, bytes: bytes, processor: .nanoseconds(spent - processor))
    processor = spent
    total = (total.lines + lines, total.bytes + bytes)
    let (now, number) = (csystem_monotonic_nanoseconds(), ObjectIdentifier(source))
    let pause = keeper.pause(after: cost, among: budget.sharers(with: number, now: now), now: now)
    guard pause > .zero else { return nil }
    budget.hold(number, until: now + pause.nanoseconds)
    hasJustBegun = !isOn
    if !isOn {
      isOn = true
      // 0 means the calling thread.
      _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
    }
    return pause
  }

  /// About how many lines so many bytes are, by those read so far.
  func lines(in bytes: Int) -> Int {
    guard bytes > 0, total.bytes > 0 else { return 0 }
    return max(1, Int(Double(bytes) * Double(total.lines) / Double(total.bytes)))
  }

  private static var processorTime: Int64 { csystem_nanoseconds(CLOCK_THREAD_CPUTIME_ID) }
}

/// The pace at which all sources are read together; those that send more than can be read share it equally.
///
/// A source that keeps within its share is not held back by others.
final class ReadingBudget: Sendable {
  /// The budget of all sensors of the program.
  static let shared = ReadingBudget(.standard)

  let pace: ReadingPace

  /// Until when each source is held back, in nanoseconds of real time.
  private let heldBack = Mutex<[ObjectIdentifier: Int64]>([:])

  /// How long a source that was held back counts as one that sends too much.
  private static let memory: Int64 = 1_000_000_000

  init(_ pace: ReadingPace) { self.pace = pace }

  /// The budget of a pace: that of all sensors, or one of its own for another pace.
  static func of(_ pace: ReadingPace) -> ReadingBudget { pace == .standard ? shared : ReadingBudget(pace) }

  /// Among how many sources the pace is divided: a source, and the others that send too much.
  func sharers(with source: ObjectIdentifier, now: Int64) -> Int {
    heldBack.withLock { heldBack in
      heldBack = heldBack.filter { $0.value > now - Self.memory }
      return heldBack.count + (heldBack[source] == nil ? 1 : 0)
    }
  }

  /// Notes that a source is held back.
  func hold(_ source: ObjectIdentifier, until end: Int64) { heldBack.withLock { $0[source] = end } }
}
