package import Basics
package import Bundles
package import Quantities
import Synchronization

/// What is done with each finished bundle after its verdict was shown: the sample store, later an outbox and exports.
///
/// It runs beside the next trial, and is cancelled where the operator does not want to wait for it.
package protocol BundleFollower: Sendable {
  /// Takes a bundle that was just finished; reports failures itself.
  func follow(_ bundle: Bundle) async

  /// Makes up for what earlier sessions left, after the session's last bundle.
  func sessionEnded() async

  /// Lets go of whatever does not answer, after cancellation, so that the process need not wait for it.
  func abandon()
}

extension BundleFollower {
  /// Has nothing to make up for.
  package func sessionEnded() async {}

  /// Holds nothing that could keep the process.
  package func abandon() {}
}

/// Hands the bundles of a session to its followers, one after the other, while the next trial runs.
package final class FollowerQueue: Sendable {
  /// Rung when all is done; an interrupt may ring it, too.
  package let bell = Bell()

  private let followers: [any BundleFollower]
  private let bundles: AsyncStream<Bundle>.Continuation
  /// `nil` without followers.
  private let task: Task<Void, Never>?
  private let state: State

  private final class State: Sendable {
    let hasFinished = Mutex(false)
    let hasBundle = Mutex(false)
  }

  init(_ followers: [any BundleFollower]) {
    self.followers = followers
    let state = State()
    self.state = state
    let (stream, bundles) = AsyncStream.makeStream(of: Bundle.self)
    self.bundles = bundles
    guard !followers.isEmpty else {
      task = nil
      state.hasFinished.withLock { $0 = true }
      return
    }
    // A task without a parent, which would wait for it: a server that does not answer must not delay the end of this
    // process, which also ends the task.
    task = Task { [bell] in
      for await bundle in stream {
        for follower in followers { await follower.follow(bundle) }
      }
      if state.hasBundle.withLock({ $0 }) {
        for follower in followers { await follower.sessionEnded() }
      }
      state.hasFinished.withLock { $0 = true }
      bell.ring()
    }
  }

  /// Adds a bundle that was just finished.
  func add(_ bundle: Bundle) {
    guard !followers.isEmpty else { return }
    state.hasBundle.withLock { $0 = true }
    bundles.yield(bundle)
  }

  /// Whether any bundle was added.
  package var hasWork: Bool { state.hasBundle.withLock { $0 } }

  /// Waits until all bundles were followed, after the last one.
  package func done() async {
    bundles.finish()
    await task?.value
  }

  /// Waits until all bundles were followed, the bell rings or the time limit is reached, after the last bundle.
  ///
  /// - Returns: whether all were followed.
  package func isDone(within limit: Duration, on clock: any StationClock) async -> Bool {
    bundles.finish()
    if state.hasFinished.withLock({ $0 }) { return true }
    let timer = Task { [bell] in
      try await clock.sleep(for: limit)
      bell.ring()
    }
    _ = await bell.wait()
    timer.cancel()
    return state.hasFinished.withLock { $0 }
  }

  /// Cancels what is under way.
  package func cancel() { task?.cancel() }

  /// Lets go of followers that do not answer.
  package func abandon() { for follower in followers { follower.abandon() } }
}
