import Basics
import Quantities

/// How fast a source of lines is read at most, so that a flood takes no more of the machine than a trial can spare.
///
/// What comes faster waits where it is, in a pipe or a socket, and so holds its sender back.
package struct ReadingPace: Hashable, Sendable {
  /// The pace beside a trial: 120,000 lines a second, 32 MB a second, and half the time of one processor.
  package static let standard = ReadingPace(lines: 120_000, bytes: 32_000_000, share: 0.5)

  /// No bound, for measuring how fast lines can be read.
  package static let unbounded = ReadingPace(lines: .infinity, bytes: .infinity, share: .infinity)

  /// Lines a second.
  package var lines: Double
  /// Bytes a second.
  package var bytes: Double
  /// The part of one processor's time that reading may take.
  package var share: Double

  /// A pace.
  package init(lines: Double, bytes: Double, share: Double) {
    self.lines = lines
    self.bytes = bytes
    self.share = share
  }
}

/// Keeps a reader to its pace: a bucket that leaks, with room for a burst.
struct PaceKeeper: Sendable {
  /// A burst of so much work is read at once.
  static let burst = Duration.milliseconds(100)

  /// What a piece of a stream cost.
  struct Cost {
    let lines: Int
    let bytes: Int
    let processor: Duration
  }

  private let pace: ReadingPace
  /// When all that was read would have been read at the pace, in nanoseconds of real time.
  private var due = Int64.min

  init(_ pace: ReadingPace) { self.pace = pace }

  /// Takes account of a piece that was read.
  ///
  /// - Parameters:
  ///   - cost: what it cost.
  ///   - now: nanoseconds of real time.
  /// - Returns: how long to wait before the next one; zero for a source within its pace.
  mutating func pause(after cost: Cost, now: Int64) -> Duration {
    let seconds = max(
      Double(cost.lines) / pace.lines, Double(cost.bytes) / pace.bytes, cost.processor.seconds / pace.share)
    due = max(due, now - Self.burst.nanoseconds) + Int64(seconds * 1e9)
    return .nanoseconds(max(0, due - now))
  }
}
