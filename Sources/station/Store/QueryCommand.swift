import Basics
import Quantities
import Reports
import SampleStore
import Synchronization

extension Command {
  /// The samples of a type, one a line.
  static let query = Command(
    "query", operands: "TYPE", "lists samples of a quantity type, or “heartbeatSeries”",
    // Ctrl-C ends `--follow`; without it, Ctrl-C ends the process.
    takesInterrupts: true,
    options: SampleSelection.options + [
      .init("limit", value: "N", "the maximum number of samples (default: all)"),
      .init("sort", value: "ORDER", "startDate or endDate; -startDate or -endDate for the latest first"), .unit,
      .json("one JSON object a line"),
      .init("csv", "print a CSV table"),
    ] + ChangeOptions.options + PostedQuery.options + StoreLocation.options
  ) { arguments in
    let location = StoreLocation(arguments)
    let selection = try SampleSelection(arguments.operands[0], arguments)
    let limit = try arguments.wholeNumber("limit", 1...Int.max) ?? 0
    let order =
      try arguments.choice(
        "sort",
        among: [
          ("startDate", .startDate), ("-startDate", .startDateDescending), ("endDate", .endDate),
          ("-endDate", .endDateDescending),
        ]) ?? SampleOrder.startDate
    let unit = try arguments.unit()
    let form = try arguments.form()
    let changes = try ChangeOptions(arguments)
    let posted = try PostedQuery(arguments)
    if changes?.follows != true { Interrupts.release() }
    let store = try await location.open()
    let type = try await selection.type(in: store)
    let predicate =
      posted == nil
      ? try await selection.predicate(for: type, in: store)
      : try await selection.statisticsPredicate(for: type, in: store).predicate
    if let changes {
      // A series of heartbeats has no unit.
      var shownUnit = Unit.second
      if case .quantity(let quantity) = type { shownUnit = try quantity.checkedUnit(unit) }
      let rendering = SampleRendering(unit: shownUnit, zone: selection.zone)
      @Sendable func listing(asJSON isJSON: Bool, _ put: @escaping @Sendable (String) -> Bool) -> ChangeListing {
        ChangeListing(store, type, predicate, rendering, isJSON: isJSON, put: put)
      }
      guard let posted else {
        try await changes.run(
          listing(asJSON: form == .json) { text in
            form == .json ? Console.standard.data(text) : Console.standard.line(text)
            return !Console.standard.isUnread
          }, limit: limit)
        return .done
      }
      try await posted.post(follows: changes.follows) { put in
        try await changes.run(listing(asJSON: true, put), limit: limit)
      }
      return .done
    }
    guard case .quantity(let quantity) = type else {
      guard posted == nil else { throw Failure("heartbeat series are not posted; post heartRate", status: .wrongUsage) }
      let all = try await store.heartbeatSeries(matching: predicate, sortedBy: order, limit: limit)
      Self.show(all, form, selection.zone)
      return .done
    }
    let rendering = SampleRendering(unit: try quantity.checkedUnit(unit), zone: selection.zone)
    if let posted {
      try await posted.post(quantity, of: store, matching: predicate, sortedBy: order, limit: limit, rendering)
      return .done
    }
    if form == .csv { Console.standard.data(SampleRendering.columns) }
    let count = Mutex(0)
    try await store.forEachSample(of: quantity, matching: predicate, sortedBy: order, limit: limit) { sample in
      switch form {
      case .people: Console.standard.line(try rendering.line(sample))
      case .json: Console.standard.data(try rendering.json(sample).text())
      case .csv: Console.standard.data(try rendering.row(sample))
      }
      count.withLock { $0 += 1 }
      return !Console.standard.isUnread
    }
    if form == .people, count.withLock(\.self) == 0 { Console.standard.line("no samples of \(quantity.identifier)") }
    return .done
  }

  private static func show(_ all: [HeartbeatSeries], _ form: OutputForm, _ zone: TimeZone) {
    if form == .csv { Console.standard.data(SampleRendering.beatColumns) }
    for series in all where !Console.standard.isUnread {
      switch form {
      case .json: Console.standard.data(SampleRendering.json(series).text())
      case .csv: for row in SampleRendering.rows(series) { Console.standard.data(row) }
      case .people: Console.standard.line(SampleRendering.line(series, zone))
      }
    }
    // Empty output would look like a failure.
    if form == .people, all.isEmpty { Console.standard.line("no samples of heartbeatSeries") }
  }
}

extension Option { static let unit = Option("unit", value: "UNIT", "the unit of the values, such as count/min") }

extension Arguments {
  /// The unit that an option names; `nil` if it was not given.
  func unit() throws(UsageError) -> Unit? {
    try self["unit"].map { text throws(UsageError) in try checked { try Unit(text) } }
  }
}

extension QuantityType {
  /// The requested unit if it suits the type; the type's default unit if none was requested.
  func checkedUnit(_ unit: Unit?) throws(Failure) -> Unit {
    guard let unit else { return defaultUnit }
    guard unit.isCompatible(with: canonicalUnit) else {
      throw Failure("\(QuantityTextError.unit(self, unit))", status: .wrongUsage)
    }
    return unit
  }
}

/// The options for the changes of a store since an anchor.
struct ChangeOptions: Sendable {
  static let options: [Option] = [
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
        throw arguments.invalid(text, "after", "expected “start”, or an anchor that an earlier call printed")
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
