import CSystem
import Glibc
import Quantities

/// Keeps the thread that it is used on to a pace: measures what reading costs it, and lets it rest.
///
/// A thread that had to rest once goes on with less claim to the processor than the threads of the sound.
struct Brake {
  /// Whether the last rest was the first.
  private(set) var hasJustBegun = false

  private var keeper: PaceKeeper
  private var processor = Self.processorTime
  private var isOn = false

  init(_ pace: ReadingPace) { keeper = PaceKeeper(pace) }

  /// How long to rest after a piece of the stream; `nil` for not at all.
  mutating func rest(afterLines lines: Int, bytes: Int) -> Duration? {
    let spent = Self.processorTime
    let cost = PaceKeeper.Cost(lines: lines, bytes: bytes, processor: .nanoseconds(spent - processor))
    processor = spent
    let pause = keeper.pause(after: cost, now: csystem_monotonic_nanoseconds())
    guard pause > .zero else { return nil }
    hasJustBegun = !isOn
    if !isOn {
      isOn = true
      // 0 is the calling thread.
      _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
    }
    return pause
  }

  private static var processorTime: Int64 { csystem_nanoseconds(CLOCK_THREAD_CPUTIME_ID) }
}
