import CSystem
import Glibc
import Quantities

/// Limits the reading rate of the thread that calls it: measures the cost of reading and returns how long to pause.
///
/// After its first pause, a thread runs at a lower priority than the audio threads.
struct RateLimiter {
  /// Whether the latest pause was the first.
  private(set) var hasJustBegun = false

  private var keeper: PaceKeeper
  private var processor = Self.processorTime
  private var isOn = false

  init(_ pace: ReadingPace) { keeper = PaceKeeper(pace) }

  /// How long to pause after a piece of the stream; `nil` for no pause.
  mutating func rest(afterLines lines: Int, bytes: Int) -> Duration? {
    let spent = Self.processorTime
    let cost = PaceKeeper.Cost(lines: lines, bytes: bytes, processor: .nanoseconds(spent - processor))
    processor = spent
    let pause = keeper.pause(after: cost, now: csystem_monotonic_nanoseconds())
    guard pause > .zero else { return nil }
    hasJustBegun = !isOn
    if !isOn {
      isOn = true
      // 0 means the calling thread.
      _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
    }
    return pause
  }

  private static var processorTime: Int64 { csystem_nanoseconds(CLOCK_THREAD_CPUTIME_ID) }
}
