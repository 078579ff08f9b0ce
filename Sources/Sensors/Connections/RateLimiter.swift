import Basics
import CSystem
import Glibc

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
