import Basics
import Quantities
import Reports
import SampleStore

extension Command {
  /// HealthKit's statistics, of all samples or of each day, hour or other interval.
  static let stats = Command(
    "stats", operands: "TYPE", "prints statistics of a quantity type's samples",
    options: [
      .init("every", value: "INTERVAL", "per “day”, “week”, “15 minutes” … (default: all samples together)"),
      .init("anchor", value: "TIME", "the start of one interval (default: the start of the first day)"),
      .init("all-intervals", "include intervals without samples"),
      .init("average", "the average; the output names the method"),
      .init("min", "the minimum"),
      .init("max", "the maximum"),
      .init("sum", "the sum; time covered by several sources counts once"),
      .init("most-recent", "the most recent value"),
      .init("duration", "how much time the samples cover"),
      .init("by-source", "also for each source separately"),
      .init("by", value: "WHAT", "per participant, session, trial, step, clip, recorder or metadata key"), .unit,
      .json(), .init("csv", "print a CSV table"),
    ] + SampleSelection.options + [.includeSimulatedSamples] + StoreLocation.options
  ) { arguments in
    let location = StoreLocation(arguments)
    let selection = try SampleSelection(arguments.operands[0], arguments)
    let interval = try arguments["every"].map { text in try arguments.checked { try IntervalComponents(text) } }
    let givenAnchor = try arguments.time("anchor", selection.zone, .now)
    let isEveryInterval = arguments.has("all-intervals")
    if interval == nil, givenAnchor != nil || isEveryInterval {
      throw arguments.refusal("--anchor and --all-intervals need --every INTERVAL")
    }
    try arguments.atMostOne(of: ["all-intervals", "by"])
    let group = arguments["by"]
    let unit = try arguments.unit()
    let form = try arguments.form()
    let store = try await location.open()
    let type = try await selection.type(in: store)
    guard case .quantity(let quantity) = type else {
      throw Failure("heartbeat series have no statistics; list them with “station query”", status: .wrongUsage)
    }
    let options = StatisticsOptions(arguments, for: quantity)
    let (predicate, simulated) = try await selection.statisticsPredicate(for: type, in: store)
    // The sources say which rows include simulated samples.
    let read = simulated > 0 ? options.union(.separateBySource) : options
    let rendering = StatisticsRendering(
      type: quantity, unit: try quantity.checkedUnit(unit), zone: selection.zone, options: options,
      form: form, group: group, isOfTrials: predicate.isOfTrials, simulated: simulated
    ) {
      Console.standard.write($0)
      return !Console.standard.isUnread
    }
    /// The start of an interval: the given anchor, or the start of the first day.
    func anchor() async throws -> WallTime {
      if let givenAnchor { return givenAnchor }
      var start = selection.start
      if start == nil { start = try await store.samples(of: quantity, matching: predicate, limit: 1).first?.start }
      return selection.zone.startOfDay(containing: start ?? .now)
    }
    if let group {
      try await store.forEachGroup(
        of: quantity, matching: predicate, options: read, by: SampleKey.named(group), every: interval,
        anchor: try await anchor(), in: selection.zone
      ) { try rendering.write($1, of: $0) }
    } else if let interval {
      try await store.forEachInterval(
        of: quantity, matching: predicate, options: read, anchor: try await anchor(), every: interval,
        in: selection.zone, isFilled: isEveryInterval
      ) { try rendering.write($0) }
    } else {
      _ = try rendering.write(try await store.statistics(of: quantity, matching: predicate, options: read))
    }
    rendering.finish()
    return .done
  }
}

extension StatisticsOptions {
  /// The requested statistics; those that suit the type if none were requested.
  fileprivate init(_ arguments: Arguments, for type: QuantityType) {
    self = [
      ("average", StatisticsOptions.discreteAverage), ("min", .discreteMin), ("max", .discreteMax),
      ("sum", .cumulativeSum), ("most-recent", .mostRecent), ("duration", .duration), ("by-source", .separateBySource),
    ].reduce(into: []) { if arguments.has($1.0) { $0.insert($1.1) } }
    guard subtracting(.separateBySource).isEmpty else { return }
    formUnion(
      type.aggregationStyle.isCumulative ? .cumulativeSum : [.discreteAverage, .discreteMin, .discreteMax, .mostRecent])
  }
}
