import Bundles
import Quantities

/// Lines of one sensor that could not be read: the first ones are written down one by one, a flood of them once a second.
///
/// People are shown the first with its reason, and then how many there were, every ten seconds at most.
struct SkippedLines: Sendable {
  /// The maximum number of lines that are written down one by one.
  static let toldSingly = 20
  /// How often people are shown how many there were.
  static let noticePause = Duration.seconds(10)

  private var told = 0
  private var count = 0
  private var firstLine = 0
  private var reason = ""
  private var lastTold: Moment?
  private var total = 0
  private var lastNotice: (at: Moment, total: Int)?

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
    total += count
    return Skipped(count: count, firstLine: firstLine, reason: reason, notice: notice(at: now))
  }

  /// What people are shown now; `nil` for nothing.
  private mutating func notice(at now: Moment) -> String? {
    guard let last = lastNotice else {
      lastNotice = (now, total)
      return "line \(firstLine) could not be read: \(reason)" + (total > 1 ? " (\(total) lines so far)" : "")
    }
    guard last.at.duration(to: now) >= Self.noticePause else { return nil }
    lastNotice = (now, total)
    let more = total - last.total
    return "\(more) more \(more == 1 ? "line" : "lines") could not be read; \(total) so far"
  }

  /// A number of lines, with the first of them and its reason.
  struct Skipped: Hashable, Sendable {
    let count: Int
    let firstLine: Int
    let reason: String
    /// What people are shown of it, if anything.
    let notice: String?
  }
}
