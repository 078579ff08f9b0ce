import Basics
import Quantities
import Reports
import SampleStore

/// The options for the changes of a store since an anchor.
struct ChangeOptions: Sendable {
  /// The options that request changes.
  static let options: [CommandSyntax.Option] = [
    .init(
      "after", value: "ANCHOR|start",
      "list changes since this anchor, as an earlier call printed it; “start” for all"),
    .init("follow", "wait for changes and print each as it happens, until Ctrl-C"),
  ]

  private let anchor: QueryAnchor?
  /// Whether it waits for further changes, until Ctrl-C.
  let follows: Bool

  /// The requested listing; `nil` for a plain query.
  init?(_ arguments: Arguments) throws {
    let after = arguments["after"]
    follows = arguments.has("follow")
    guard after != nil || follows else { return nil }
    anchor = try after.flatMap { text in
      guard text != "start" else { return nil }
      guard let anchor = QueryAnchor(text) else {
        throw arguments.refusal(
          "invalid value “\(text)” for --after: expected “start”, or an anchor that an earlier call printed")
      }
      return anchor
    }
    for other in ["csv", "sort"] + (follows ? ["limit"] : []) where arguments.has(other) {
      throw arguments.refusal("--\(other) cannot be combined with --\(follows ? "follow" : "after")")
    }
  }

  /// Prints past changes, and with `--follow` new ones until Ctrl-C or until the output's reader closes.
  func run(_ listing: ChangeListing, limit: Int) async throws {
    guard follows else {
      _ = try await listing.list(after: anchor, limit: limit)
      return
    }
    // A change between the first answer and the wait must not be missed.
    let updates = try await listing.store.updates(of: [listing.type])
    Console.standard.decouple()
    let end = Bell()
    Interrupts.onEach { _ in end.ring() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask { _ = await end.wait() }
      group.addTask {
        var last = try await listing.list(after: anchor, limit: 0)
        for try await _ in updates {
          guard !Console.standard.isUnread else { return }
          last = try await listing.list(after: last, limit: 0, isQuiet: true)
        }
      }
      try await group.next()
    }
  }
}
