import Basics
package import Bundles
package import Laboratory
import Synchronization

/// Sends the bundles of finished trials, while the next trial runs and after the last one.
///
/// A bundle is only added to the outbox when its trial ends, so that a server that hangs holds up nothing. Threads that send
/// let all others go first.
package actor OutboxFollower: BundleFollower {
  private let results: String
  private let destination: Destination
  private let delivery: any Delivery
  private let console: any OperatorDisplay
  private let open: @Sendable () async throws -> Outbox
  private var opened: Outbox?
  private var sending: Task<Void, Never>?
  private var isAsked = false
  private let news: News

  /// How long what fails is tried again after the session.
  private static let endPatience = Duration.seconds(10)
  /// How long a sender waits before it looks for new bundles.
  private static let pause = Duration.seconds(2)

  /// Follows the bundles of a results folder.
  ///
  /// - Parameters:
  ///   - results: the results folder.
  ///   - destination: where bundles are sent.
  ///   - delivery: how they are sent.
  ///   - console: where failures are reported.
  ///   - open: opens the outbox, and creates it if there is none.
  package init(
    results: String, to destination: Destination, by delivery: any Delivery, console: any OperatorDisplay,
    open: @escaping @Sendable () async throws -> Outbox
  ) {
    (self.results, self.destination, self.delivery) = (results, destination, delivery)
    (self.console, self.open) = (console, open)
    news = News(console: console)
  }

  /// Adds the bundle to the outbox, and starts sending.
  package func follow(_ bundle: Bundle) async {
    await reportingFailure {
      let list = try OutgoingList([bundle.path], results: results)
      _ = try await list.add(to: outbox(), for: destination.row, at: .now)
      sendInBackground()
    }
  }

  /// Adds what earlier sessions left, and sends what still waits, for a short while.
  package func sessionEnded() async {
    sending?.cancel()
    await sending?.value
    await reportingFailure {
      console.show(status: "sending the bundles; Ctrl-C leaves this to the next run")
      let outbox = try await outbox()
      _ = try await OutgoingList([], results: results).add(to: outbox, for: destination.row, at: .now)
      _ = try await sender(outbox).run(patience: Self.endPatience, isAsked: true) { _ in }
      let left = try await outbox.counts().first { $0.destination == destination.row }
      await outbox.close()
      opened = nil
      guard let left, left.waiting + left.parked > 0 else { return }
      console.report(
        "\(left.waiting.counted("bundle")) waiting and \(left.parked) parked for \(destination.shown): “station outbox” "
          + "shows the reasons, and the next session or “station send” sends what waits")
    }
  }

  private func outbox() async throws -> Outbox {
    if let opened { return opened }
    let outbox = try await open()
    opened = outbox
    return outbox
  }

  private func sender(_ outbox: Outbox) -> Sender {
    Sender(
      outbox, results: results, to: destination, by: delivery,
      sleep: { try await Task.sleep(for: min($0, Self.pause)) })
  }

  /// Starts a sender unless one runs; one that ends looks for what was added meanwhile.
  private func sendInBackground() {
    isAsked = true
    guard sending == nil else { return }
    // A task of its own: the followers of the next bundle must not wait for a server. The end of the session ends it.
    sending = Task {
      while isAsked, !Task.isCancelled {
        isAsked = false
        await reportingFailure {
          _ = try await sender(try await outbox()).run(patience: Backoff.maxRequestLength, isAsked: false) { [news] in
            news.tell($0)
          }
        }
      }
      sending = nil
    }
  }

  private func reportingFailure(_ work: () async throws -> Void) async {
    do {
      try await work()
    } catch {
      guard !(error is CancellationError), !Task.isCancelled else { return }
      console.report("the bundles were not sent: \(error); they are complete, and “station send” sends them")
    }
  }
}

/// Reports why a bundle was not sent, when it is another reason than before.
private final class News: Sendable {
  private let console: any OperatorDisplay
  private let last = Mutex<String?>(nil)

  init(console: any OperatorDisplay) { self.console = console }

  func tell(_ item: OutboxItem) {
    let isNew = last.withLock { last in
      defer { last = item.problem }
      return last != item.problem
    }
    guard isNew, let reason = item.reason else { return }
    let fate = item.state == .parked ? "was parked" : "waits"
    console.report("sending: the bundle \(item.key.trial) \(fate): \(reason)")
  }
}
