package import Basics

/// Decides what a sender does next: a pure machine, which knows neither files nor the network.
package struct SenderMachine: Sendable {
  /// What is to be done.
  package enum Action: Hashable, Sendable {
    /// Send this bundle.
    case send(OutboxItem)
    /// Wait until something is due.
    case wait(until: WallTime)
    /// Stop: nothing is due before the end of the patience.
    case stop
  }

  /// What has been done.
  package struct Tally: Hashable, Sendable {
    /// Bundles that arrived.
    package var sent = 0
    /// Bundles that were refused.
    var parked = 0
    /// Attempts that failed, and are made again.
    var failures = 0

    init() {}
  }

  /// The number of bundles in a row that a destination refuses until the destination itself is at fault.
  static let maxFailures = 3

  /// What has been done so far.
  package private(set) var tally = Tally()

  /// Until when the destination is left alone.
  private(set) var hold: OutboxHold?

  /// Why nothing more is sent; `nil` otherwise.
  private(set) var stopped: SendProblem?

  private let deadline: WallTime
  private var failuresInARow = 0

  /// A sender that begins.
  ///
  /// - Parameters:
  ///   - hold: until when the destination is left alone.
  ///   - deadline: when nothing is waited for any more.
  init(hold: OutboxHold?, deadline: WallTime) { (self.hold, self.deadline) = (hold, deadline) }

  /// What is to be done.
  ///
  /// - Parameters:
  ///   - first: the waiting bundle that is due first; `nil` if none waits.
  ///   - now: the time.
  /// - Returns: the action.
  package func next(_ first: OutboxItem?, at now: WallTime) -> Action {
    guard stopped == nil, let first else { return .stop }
    let due = max(first.due, hold?.until ?? first.due)
    if due <= now { return .send(first) }
    return due <= deadline ? .wait(until: due) : .stop
  }

  /// Takes what became of an attempt.
  ///
  /// - Parameters:
  ///   - outcome: what became of it.
  ///   - item: the bundle's row.
  ///   - now: the time.
  ///   - random: a number from 0 to 1, evenly distributed.
  /// - Returns: the row as it is to be recorded, with ``hold``.
  mutating func take(
    _ outcome: SendOutcome, of item: OutboxItem, at now: WallTime, random: Double
  ) -> OutboxItem {
    var item = item
    item.attempts += 1
    (item.tried, item.due) = (now, now)
    (item.problem, item.reason, item.confirmation, item.receipt) = (nil, nil, nil, nil)
    switch outcome {
    case .sent(let confirmation, let receipt):
      (item.state, item.confirmation, item.receipt) = (.sent, confirmation.rawValue, receipt)
      tally.sent += 1
      (hold, failuresInARow) = (nil, 0)
    case .refused(let problem, let scope):
      item.state = .parked
      note(problem, &item)
      tally.parked += 1
      if scope == .settings { stopped = problem }
      (hold, failuresInARow) = (nil, 0)
    case .failed(let problem, let scope, let wait):
      note(problem, &item)
      tally.failures += 1
      failuresInARow += 1
      guard scope != .settings else {
        stopped = problem
        break
      }
      item.due = now.advanced(by: Backoff.delay(after: item.attempts, request: wait, random: random))
      if scope == .destination || failuresInARow >= Self.maxFailures {
        let failures = (hold?.failures ?? 0) + 1
        let until = now.advanced(by: Backoff.delay(after: failures, request: wait, random: random))
        hold = OutboxHold(failures: failures, until: until, isRequested: wait != nil)
        // The first one to be tried when the destination is tried again.
        item.due = until
      }
    }
    return item
  }

  private func note(_ problem: SendProblem, _ item: inout OutboxItem) {
    (item.problem, item.reason) = (problem.code, "\(problem)")
  }
}

/// How long to wait before the next attempt: full jitter under a limit that doubles.
///
/// Many stations that lose their receiver together do not come back together.
package enum Backoff: Sendable {
  /// The limit after the first failure.
  static let minPause = Duration.seconds(1)
  /// The limit after many failures.
  static let maxPause = Duration.seconds(300)
  /// The longest time that a destination can ask for.
  package static let maxRequestLength = Duration.seconds(86_400)

  /// The limit of the delay after some failures in a row.
  static func limit(after failures: Int) -> Duration {
    failures >= 10 ? maxPause : min(maxPause, minPause * (1 << max(0, failures - 1)))
  }

  /// The delay after some failures in a row.
  ///
  /// - Parameters:
  ///   - failures: how many there were, at least 1.
  ///   - request: how long the destination asked to wait; that is the least, up to a day.
  ///   - random: a number from 0 to 1, evenly distributed.
  /// - Returns: the delay.
  static func delay(after failures: Int, request: Duration?, random: Double) -> Duration {
    let jittered = limit(after: failures) * min(max(random, 0), 1)
    guard let request else { return jittered }
    return max(jittered, min(request, maxRequestLength))
  }
}
