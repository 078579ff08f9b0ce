import Basics
import HealthStore
import Quantities

/// The samples added to and deleted from a store since an anchor, and with `--follow` those that follow.
///
/// Deletions come before additions, since replacing a sample is both. After each batch comes the anchor from which to
/// continue.
struct ChangeListing: Sendable {
  /// The options that request changes.
  static let options: [CommandSyntax.Option] = [
    .init(
      "after", value: "ANCHOR|start",
      "list changes since this anchor, as an earlier call printed it; “start” for all"),
    .init("follow", "wait for changes and print each as it happens, until Ctrl-C"),
  ]

  /// The number of changes read in one call.
  private static let page = 1000

  private let anchor: QueryAnchor?
  /// Whether it waits for further changes, until Ctrl-C.
  let follows: Bool

  /// The requested listing; `nil` for a plain query.
  init?(_ arguments: Arguments, _ syntax: CommandSyntax) throws {
    let after = arguments["after"]
    follows = arguments.has("follow")
    guard after != nil || follows else { return nil }
    anchor = try after.flatMap { text in
      guard text != "start" else { return nil }
      guard let anchor = QueryAnchor(text) else {
        throw UsageError(
          command: syntax,
          reason: "invalid value “\(text)” for --after: expected “start”, or an anchor that an earlier call printed")
      }
      return anchor
    }
    for other in ["csv", "sort"] + (follows ? ["limit"] : []) where arguments.has(other) {
      throw UsageError(
        command: syntax, reason: "--\(other) cannot be combined with --\(follows ? "follow" : "after")")
    }
  }

  /// Prints batches of changes.
  struct Printer: Sendable {
    let console: Console
    let isJSON: Bool
    let unit: Unit?
    let zone: TimeZone

    fileprivate func show(_ sample: QuantitySample) throws {
      let rendering = SampleRendering(unit: try UnitOption.checked(unit, for: sample.type), zone: zone)
      isJSON ? console.data(try rendering.json(sample).text()) : console.line(try rendering.line(sample))
    }

    fileprivate func show(_ series: HeartbeatSeries) {
      isJSON
        ? console.data(SampleRendering.json(series).text()) : console.line(SampleRendering.line(series, zone))
    }

    fileprivate func show(deleted uuid: UUID) {
      isJSON ? console.data(JSONValue.object(["deleted": .string("\(uuid)")]).text()) : console.line("deleted  \(uuid)")
    }

    fileprivate func show(_ anchor: QueryAnchor, hasMore: Bool) {
      guard isJSON else { return console.line("anchor: \(anchor)\(hasMore ? "; more changes follow" : "")") }
      console.data(JSONValue.object(["anchor": .string("\(anchor)"), "hasMore": .bool(hasMore)]).text())
    }
  }

  /// Prints past changes, and with `--follow` new ones until Ctrl-C or until the output's reader closes.
  func run(
    _ store: SampleStore, _ type: SampleType, _ predicate: SamplePredicate, limit: Int, _ printer: Printer
  ) async throws {
    guard follows else {
      _ = try await list(store, type, predicate, after: anchor, limit: limit, printer)
      return
    }
    // A change between the first answer and the wait must not be missed.
    let updates = try await store.updates(of: [type])
    printer.console.decouple()
    let end = Bell()
    Interrupts.onEach { _ in end.ring() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask { _ = await end.wait() }
      group.addTask {
        var last = try await list(store, type, predicate, after: anchor, limit: 0, printer)
        for try await _ in updates {
          guard !printer.console.isUnread else { return }
          last = try await list(store, type, predicate, after: last, limit: 0, isQuiet: true, printer)
        }
      }
      try await group.next()
    }
  }

  // Prints the changes after an anchor, page by page, then the anchor from which to continue; if quiet, it prints no
  // anchor where nothing changed.
  private func list(
    _ store: SampleStore, _ type: SampleType, _ predicate: SamplePredicate, after anchor: QueryAnchor?, limit: Int,
    isQuiet: Bool = false, _ printer: Printer
  ) async throws -> QueryAnchor {
    var (anchor, rest, count) = (anchor, limit, 0)
    while true {
      let most = limit == 0 ? Self.page : min(rest, Self.page)
      let next: (anchor: QueryAnchor, count: Int, hasMore: Bool)
      switch type {
      case .quantity(let quantity):
        next = try show(
          try await store.changes(of: quantity, since: anchor, matching: predicate, limit: most), printer
        ) { try printer.show($0) }
      case .heartbeatSeries:
        next = try show(
          try await store.heartbeatSeriesChanges(since: anchor, matching: predicate, limit: most), printer
        ) { printer.show($0) }
      }
      anchor = next.anchor
      count += next.count
      rest -= next.count
      guard next.hasMore, limit == 0 || rest > 0, !printer.console.isUnread else {
        if count > 0 || !isQuiet { printer.show(next.anchor, hasMore: next.hasMore) }
        return next.anchor
      }
      try Task.checkCancellation()
    }
  }

  private func show<Sample>(
    _ changes: SampleChanges<Sample>, _ printer: Printer, _ show: (Sample) throws -> Void
  ) throws -> (anchor: QueryAnchor, count: Int, hasMore: Bool) {
    for uuid in changes.deleted { printer.show(deleted: uuid) }
    for sample in changes.added { try show(sample) }
    return (changes.anchor, changes.deleted.count + changes.added.count, changes.hasMore)
  }
}
