import Basics
import Quantities
import Reports
import SampleStore

/// `station stats TYPE`: HealthKit's statistics, of all samples or of each day, hour or other interval.
struct StatsCommand: Command {
  static let syntax = CommandSyntax(
    "stats", operands: "TYPE", count: 1...1, "prints statistics of a quantity type's samples",
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
      .init(
        "by", value: "WHAT", "per participant, session, trial, step, clip, recorder or metadata key"),
      UnitOption.option,
      .init("json", "print one JSON object"),
      .init("csv", "print a CSV table"),
    ] + SampleSelection.options + [SampleSelection.include] + StoreLocation.options)

  private let location: StoreLocation
  private let selection: SampleSelection
  private let interval: IntervalComponents?
  private let anchor: WallTime?
  private let isEveryInterval: Bool
  private let group: String?
  private let options: StatisticsOptions
  private let unit: Unit?
  private let form: OutputForm

  init(_ arguments: Arguments) throws {
    location = StoreLocation(arguments)
    selection = try SampleSelection(arguments.operands[0], arguments)
    do {
      interval = try arguments["every"].map { text throws(IntervalError) in try IntervalComponents(text) }
    } catch {
      throw arguments.refusal("\(error)")
    }
    anchor = try arguments.time("anchor", selection.zone, .now)
    isEveryInterval = arguments.has("all-intervals")
    if interval == nil, anchor != nil || isEveryInterval {
      throw arguments.refusal("--anchor and --all-intervals need --every INTERVAL")
    }
    group = arguments["by"]
    if group != nil, isEveryInterval {
      throw arguments.refusal("--all-intervals and --by cannot be combined")
    }
    options = [
      ("average", StatisticsOptions.discreteAverage), ("min", .discreteMin), ("max", .discreteMax),
      ("sum", .cumulativeSum), ("most-recent", .mostRecent), ("duration", .duration), ("by-source", .separateBySource),
    ].reduce(into: []) { if arguments.has($1.0) { $0.insert($1.1) } }
    unit = try arguments.unit()
    form = try OutputForm(arguments)
  }

  func run() async throws -> ExitStatus {
    let store = try await location.open()
    let type = try await selection.type(in: store)
    guard case .quantity(let quantity) = type else {
      throw Failure("heartbeat series have no statistics; list them with “station query”", status: .wrongUsage)
    }
    let options = options(for: quantity)
    let (predicate, simulated) = try await selection.statisticsPredicate(for: type, in: store)
    // The sources say which rows include simulated samples.
    let read = simulated > 0 ? options.union(.separateBySource) : options
    let rendering = StatisticsRendering(
      type: quantity, unit: try UnitOption.checked(unit, for: quantity), zone: selection.zone, options: options,
      form: form, group: group, isOfTrials: predicate.isOfTrials,
      simulated: simulated
    ) {
      Console.standard.write($0)
      return !Console.standard.isUnread
    }
    if let group {
      try await store.forEachGroup(
        of: quantity, matching: predicate, options: read, by: SampleKey.named(group), every: interval,
        anchor: try await anchor(of: quantity, predicate, in: store), in: selection.zone
      ) { try rendering.write($1, of: $0) }
    } else if let interval {
      try await store.forEachInterval(
        of: quantity, matching: predicate, options: read,
        anchor: try await anchor(of: quantity, predicate, in: store), every: interval, in: selection.zone,
        isFilled: isEveryInterval
      ) { try rendering.write($0) }
    } else {
      _ = try rendering.write(try await store.statistics(of: quantity, matching: predicate, options: read))
    }
    rendering.finish()
    return .done
  }

  /// The requested statistics; those that suit the type if none were requested.
  private func options(for type: QuantityType) -> StatisticsOptions {
    guard options.subtracting(.separateBySource).isEmpty else { return options }
    return options.union(
      type.aggregationStyle.isCumulative ? .cumulativeSum : [.discreteAverage, .discreteMin, .discreteMax, .mostRecent])
  }

  /// The start of an interval: the given anchor, or the start of the first day.
  private func anchor(
    of type: QuantityType, _ predicate: SamplePredicate, in store: SampleStore
  ) async throws -> WallTime {
    if let anchor { return anchor }
    let first =
      selection.range.start == nil ? try await store.samples(of: type, matching: predicate, limit: 1).first : nil
    return selection.zone.startOfDay(containing: selection.range.start ?? first?.start ?? WallTime.now)
  }
}
