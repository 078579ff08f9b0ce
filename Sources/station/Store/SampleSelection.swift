import Basics
import Quantities
import Reports
import SampleStore

/// The samples that a command selects: their type, time, source, participant and metadata.
struct SampleSelection: Sendable {
  /// The options that select samples.
  static let options: [CommandSyntax.Option] = [
    .init("from", value: "TIME", "only samples that end at this time or later: 2026-11-20T14:30, “7 days ago”"),
    .init("to", value: "TIME", "only samples that start before this time"),
    .init("strict", value: "start|end|both", "only samples that start or end in the range, or both, as in HealthKit"),
    .init("source", value: "NAME", repeats: true, "only samples of this source, by its name or bundle identifier"),
    TrialOptions.participant,
    .init("session", value: "SESSION", repeats: true, "only samples of this session"),
    .init("trial", value: "ID", repeats: true, "only samples of this trial, by identifier or its beginning"),
    .init("step", value: "STEP", repeats: true, "only samples recorded during this step"),
    .init("device", value: "NAME", repeats: true, "only samples of this device"),
    .init(
      "metadata", value: "KEY[=VALUE]", repeats: true,
      "only samples with this metadata key, such as station.clip, or with this value of it"),
    zoneOption,
  ]

  /// The `--time-zone` option.
  static let zoneOption = CommandSyntax.Option(
    "time-zone", value: "ZONE", "the time zone of times given and shown (default: this computer's)")

  /// The type's name as the user gave it.
  let name: String
  let zone: TimeZone
  private let start: WallTime?
  private let end: WallTime?
  private let options: SamplePredicate.Options
  private let sources: [String]
  private let devices: [String]
  private let conditions: [MetadataCondition]
  private let trials: [String]
  private let includesSimulated: Bool

  init(_ name: String, _ arguments: Arguments) throws {
    self.name = name
    zone = try arguments.zone()
    (start, end) = try arguments.times(zone)
    options =
      try arguments.choice(
        "strict",
        among: [
          ("start", SamplePredicate.Options.strictStartDate), ("end", .strictEndDate),
          ("both", [.strictStartDate, .strictEndDate]),
        ]) ?? []
    sources = arguments.all("source")
    devices = arguments.all("device")
    var conditions = try arguments.conditions()
    conditions += MetadataCondition.participant(arguments["participant"])
    trials = arguments.all("trial")
    includesSimulated = try Self.includesSimulated(arguments)
    for name in ["session", "step"] {
      let values = arguments.all(name)
      if !values.isEmpty { conditions.append(.allowed(SampleKey.named(name), Set(values.map { .string($0) }))) }
    }
    self.conditions = conditions
  }

  /// The type; it may be one that only the store defines.
  func type(in store: SampleStore) async throws -> SampleType { try await SampleStore.type(name, in: store) }

  /// The predicate that the options describe.
  ///
  /// - Throws: ``Failure`` for a source without samples of the type, listing those that have some, and for a beginning
  ///   of an identifier that matches no trial in the store, or several.
  func predicate(for type: SampleType, in store: SampleStore) async throws -> SamplePredicate {
    var predicate = SamplePredicate(start: start, end: end, options: options)
    predicate.metadata = conditions
    if !trials.isEmpty {
      let identifiers = try await store.trials(called: trials)
      predicate.metadata.append(.allowed(SampleKey.named("trial"), Set(identifiers.map { .string($0) })))
    }
    predicate.devices = try await store.devices(called: devices)
    guard !sources.isEmpty else { return predicate }
    let known = try await store.sources(of: type)
    var chosen: Set<Source> = []
    for name in sources { chosen.formUnion(try known.called(name, "of \(type)")) }
    predicate.sources = chosen
    return predicate
  }

  /// The `--include` option of statistics, which leave samples of simulated sensors out.
  static let include = CommandSyntax.Option(
    "include", value: "simulated", "include samples of simulated sensors, which statistics leave out")

  /// Whether ``include`` is given.
  static func includesSimulated(_ arguments: Arguments) throws -> Bool {
    try arguments.choice("include", among: [("simulated", true)]) ?? false
  }

  /// The predicate for statistics, and how many of the samples it selects are of simulated sensors.
  ///
  /// How many are left out is reported.
  func statisticsPredicate(
    for type: SampleType, in store: SampleStore
  ) async throws -> (predicate: SamplePredicate, simulated: Int) {
    var predicate = try await predicate(for: type, in: store)
    predicate.includesSimulated = includesSimulated
    let simulated = SimulatedSamples(
      try await store.countSimulated(type, matching: predicate), areIncluded: includesSimulated)
    if let note = simulated.leftOut { Console.standard.report(note) }
    return (predicate, simulated.included)
  }

  /// The requested time range; `nil` for an open end.
  var range: (start: WallTime?, end: WallTime?) { (start, end) }
}
