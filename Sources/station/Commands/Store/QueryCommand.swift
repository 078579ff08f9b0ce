import Basics
import Quantities
import Reports
import SampleStore
import Synchronization

/// `station query TYPE`: the samples of a type, one a line.
struct QueryCommand: Command {
  static let syntax = CommandSyntax(
    "query", operands: "TYPE", count: 1...1, "lists samples of a quantity type, or “heartbeatSeries”",
    options: SampleSelection.options + [
      .init("limit", value: "N", "the maximum number of samples (default: all)"),
      .init("sort", value: "ORDER", "startDate or endDate; -startDate or -endDate for the latest first"),
      UnitOption.option,
      .init("json", "print one JSON object a line"),
      .init("csv", "print a CSV table"),
    ] + ChangeOptions.options + PostedQuery.options + StoreLocation.options)

  // Ctrl-C ends `--follow`; without it, Ctrl-C ends the process.
  static let takesInterrupts = true

  private let location: StoreLocation
  private let selection: SampleSelection
  private let limit: Int
  private let order: SampleOrder
  private let unit: Unit?
  private let form: OutputForm
  private let changes: ChangeOptions?
  private let posted: PostedQuery?

  init(_ arguments: Arguments) throws {
    location = StoreLocation(arguments)
    selection = try SampleSelection(arguments.operands[0], arguments)
    limit = try arguments.wholeNumber("limit", 1...Int.max) ?? 0
    order =
      try arguments.choice(
        "sort",
        among: [
          ("startDate", .startDate), ("-startDate", .startDateDescending), ("endDate", .endDate),
          ("-endDate", .endDateDescending),
        ]) ?? .startDate
    unit = try arguments.unit()
    form = try OutputForm(arguments)
    changes = try ChangeOptions(arguments)
    posted = try PostedQuery(arguments)
  }

  func run() async throws -> ExitStatus {
    if changes?.follows != true { Interrupts.release() }
    let store = try await location.open()
    let type = try await selection.type(in: store)
    let predicate =
      posted == nil
      ? try await selection.predicate(for: type, in: store)
      : try await selection.statisticsPredicate(for: type, in: store).predicate
    if let changes {
      // A series of heartbeats has no unit.
      var unit = Unit.second
      if case .quantity(let quantity) = type { unit = try UnitOption.checked(self.unit, for: quantity) }
      let rendering = SampleRendering(unit: unit, zone: selection.zone)
      @Sendable func listing(asJSON isJSON: Bool, _ put: @escaping @Sendable (String) -> Bool) -> ChangeListing {
        ChangeListing(store, type, predicate, rendering, isJSON: isJSON, put: put)
      }
      guard let posted else {
        try await changes.run(
          listing(asJSON: form == .json) { [form] text in
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
      return try await listSeries(store, predicate)
    }
    let rendering = SampleRendering(unit: try UnitOption.checked(unit, for: quantity), zone: selection.zone)
    if let posted {
      try await posted.post(quantity, of: store, matching: predicate, sortedBy: order, limit: limit, rendering)
      return .done
    }
    let form = form
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
    if form == .people { tell(count.withLock(\.self), quantity.identifier) }
    return .done
  }

  private func listSeries(_ store: SampleStore, _ predicate: SamplePredicate) async throws -> ExitStatus {
    if form == .csv { Console.standard.data(SampleRendering.beatColumns) }
    let all = try await store.heartbeatSeries(matching: predicate, sortedBy: order, limit: limit)
    for series in all where !Console.standard.isUnread {
      switch form {
      case .json: Console.standard.data(SampleRendering.json(series).text())
      case .csv: for row in SampleRendering.rows(series) { Console.standard.data(row) }
      case .people:
        Console.standard.line(SampleRendering.line(series, selection.zone))
      }
    }
    if form == .people { tell(all.count, "heartbeatSeries") }
    return .done
  }

  /// Prints that there are no samples, so that empty output does not look like a failure.
  private func tell(_ count: Int, _ type: String) {
    if count == 0 { Console.standard.line("no samples of \(type)") }
  }
}

extension Arguments {
  /// The unit that an option names; `nil` if it was not given.
  func unit() throws(UsageError) -> Unit? {
    guard let text = self["unit"] else { return nil }
    return try UnitOption.read(text, syntax)
  }
}

/// The unit that the user requested.
enum UnitOption: Sendable {
  /// The `--unit` option.
  static let option = CommandSyntax.Option("unit", value: "UNIT", "the unit of the values, such as count/min")

  static func read(_ text: String, _ syntax: CommandSyntax) throws(UsageError) -> Unit {
    do {
      return try Unit(text)
    } catch {
      throw UsageError(command: syntax, reason: "\(error)")
    }
  }

  /// The requested unit if it suits the type; the type's default unit if none was requested.
  static func checked(_ unit: Unit?, for type: QuantityType) throws -> Unit {
    guard let unit else { return type.defaultUnit }
    guard unit.isCompatible(with: type.canonicalUnit) else {
      throw Failure("\(QuantityTextError.unit(type, unit))", status: .wrongUsage)
    }
    return unit
  }
}
