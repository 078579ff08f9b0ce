import Bundles
import Quantities

/// Lines of one sensor that could not be read: the first ones are told one by one, a flood of them once a second.
struct SkippedLines: Sendable {
  /// So many are told one by one.
  static let toldSingly = 20

  private var told = 0
  private var count = 0
  private var firstLine = 0
  private var reason = ""
  private var lastTold: Moment?

  /// Takes lines that were skipped, and gives what is to be told now; `nil` when it can wait.
  mutating func add(count: Int, firstLine: Int, reason: String, at now: Moment) -> Skipped? {
    if self.count == 0 {
      self.firstLine = firstLine
      self.reason = reason
    }
    self.count += count
    let isDue = told < Self.toldSingly || lastTold.map { $0.duration(to: now) >= .seconds(1) } ?? true
    return isDue ? take(at: now) : nil
  }

  /// What has not been told yet.
  mutating func take(at now: Moment) -> Skipped? {
    guard count > 0 else { return nil }
    defer { count = 0 }
    told += 1
    lastTold = now
    return Skipped(count: count, firstLine: firstLine, reason: reason)
  }

  /// So many lines, the first of them and its reason.
  struct Skipped: Hashable, Sendable {
    let count: Int
    let firstLine: Int
    let reason: String
  }
}
