import Basics
import Quantities

/// The maximum rate at which the lines of all sources are read, so that floods take no more of the machine than a trial can
/// spare.
///
/// Input beyond it stays in its pipe or socket, and so throttles the sender.
package struct ReadingPace: Hashable, Sendable {
  /// The rate during a trial: 120,000 lines and 32 MB per second, and half the time of one processor.
  package static let standard = ReadingPace(lines: 120_000, bytes: 32_000_000, share: 0.5)

  /// No limit, for measuring how fast lines can be read.
  package static let unbounded = ReadingPace(lines: .infinity, bytes: .infinity, share: .infinity)

  /// Lines per second.
  package var lines: Double
  /// Bytes per second.
  package var bytes: Double
  /// The fraction of one processor's time that reading may take.
  package var share: Double

  /// Creates a pace.
  package init(lines: Double, bytes: Double, share: Double) {
    self.lines = lines
    self.bytes = bytes
    self.share = share
  }
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
