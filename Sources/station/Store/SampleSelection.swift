import Basics
import Laboratory
import Quantities
import Reports
import SampleStore

/// The samples that a command selects: their type, time, source, participant and metadata.
struct SampleSelection: Sendable {
  static let options: [Option] = [
    .init("from", value: "TIME", "only samples that end at this time or later: 2026-11-20T14:30, “7 days ago”"), .to,
    .init("strict", value: "start|end|both", "only samples that start or end in the range, or both, as in HealthKit"),
    .init("source", value: "NAME", repeats: true, "only samples of this source, by its name or bundle identifier"),
    .participant, .init("session", value: "SESSION", repeats: true, "only samples of this session"),
    .init("trial", value: "ID", repeats: true, "only samples of this trial, by identifier or its beginning"),
    .init("step", value: "STEP", repeats: true, "only samples recorded during this step"), .device, .metadata,
    .timeZone,
  ]

  /// The type's name as the user gave it.
  let name: String
  let zone: TimeZone
  /// What does not need to be looked up in the store.
  private let known: SamplePredicate
  private let arguments: Arguments

  init(_ name: String, _ arguments: Arguments) throws {
    (self.name, self.arguments) = (name, arguments)
    zone = try arguments.zone()
    let (start, end) = try arguments.times(zone)
    let options: SamplePredicate.Options? = try arguments.choice(
      "strict",
      among: [("start", .strictStartDate), ("end", .strictEndDate), ("both", [.strictStartDate, .strictEndDate])])
    var known = SamplePredicate(start: start, end: end, options: options ?? [])
    known.metadata = try arguments.conditions() + MetadataCondition.participant(arguments["participant"])
    for name in ["session", "step"] {
      let values = arguments.all(name)
      if !values.isEmpty { known.metadata.append(.allowed(SampleKey.named(name), Set(values.map { .string($0) }))) }
    }
    self.known = known
    _ = try arguments.includesSimulated()
  }

  /// The start of the requested time range.
  var start: WallTime? { known.start }

  /// The type; it may be one that only the store defines.
  func type(in store: SampleStore) async throws -> SampleType { try await SampleStore.type(name, in: store) }

  /// The predicate that the options describe.
  ///
  /// - Throws: ``Failure`` for a source without samples of the type, listing those that have some, and for a beginning
  ///   of an identifier that matches no trial in the store, or several.
  func predicate(for type: SampleType, in store: SampleStore) async throws -> SamplePredicate {
    var predicate = known
    let (trials, sources) = (arguments.all("trial"), arguments.all("source"))
    if !trials.isEmpty {
      let identifiers = try await store.trials(called: trials)
      predicate.metadata.append(.allowed(SampleKey.named("trial"), Set(identifiers.map { .string($0) })))
    }
    predicate.devices = try await store.devices(called: arguments.all("device"))
    guard !sources.isEmpty else { return predicate }
    let all = try await store.sources(of: type)
    predicate.sources = Set(try sources.flatMap { try all.called($0, "of \(type)") })
    return predicate
  }

  /// The predicate for statistics, and how many of the samples it selects are of simulated sensors.
  ///
  /// How many are left out is reported.
  func statisticsPredicate(
    for type: SampleType, in store: SampleStore
  ) async throws -> (predicate: SamplePredicate, simulated: Int) {
    var predicate = try await predicate(for: type, in: store)
    predicate.includesSimulated = try arguments.includesSimulated()
    let simulated = SimulatedSamples(
      try await store.countSimulated(type, matching: predicate), areIncluded: predicate.includesSimulated)
    if let note = simulated.leftOut { Console.standard.report(note) }
    return (predicate, simulated.included)
  }
}

extension Option {
  static let timeZone = Option(
    "time-zone", value: "ZONE", "the time zone of times given and shown (default: this computer's)")

  /// Samples of simulated sensors, which statistics leave out.
  static let includeSimulatedSamples = Option(
    "include", value: "simulated", "include samples of simulated sensors, which statistics leave out")

  static let to = Option("to", value: "TIME", "only samples that start before this time")

  static let device = Option("device", value: "NAME", repeats: true, "only samples of this device")

  static let metadata = Option(
    "metadata", value: "KEY[=VALUE]", repeats: true,
    "only samples with this metadata key, such as station.clip, or with this value of it")
}

extension Arguments {
  /// The metadata conditions: `station.clip` or `station.clip=chill_preview_4`; numbers and Booleans also match as text.
  func conditions() throws(UsageError) -> [MetadataCondition] {
    try all("metadata").map { text throws(UsageError) in
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard !parts[0].isEmpty else { throw invalid(text, "metadata", "expected KEY or KEY=VALUE") }
      guard parts.count == 2 else { return .exists(parts[0]) }
      var values: Set<Metadata.Value> = [.string(parts[1])]
      if let number = Double(parts[1]), number.isFinite { values.insert(.number(number)) }
      if let flag = Bool(parts[1]) { values.insert(.bool(flag)) }
      return .allowed(parts[0], values)
    }
  }

  /// The time zone that the options name, or this computer's.
  func zone() throws(UsageError) -> TimeZone {
    guard let name = self["time-zone"] else { return .current }
    return try checked { try TimeZone(name) }
  }

  /// The ends of the time range that the options name; `nil` for an open end.
  func times(_ zone: TimeZone) throws(UsageError) -> (start: WallTime?, end: WallTime?) {
    let now = WallTime.now
    let (start, end) = (try time("from", zone, now), try time("to", zone, now))
    if let start, let end, end < start { throw refusal("--to \(end) is before --from \(start)") }
    return (start, end)
  }

  /// The time that an option names, in the given zone unless the text has an offset; `nil` if it was not given.
  func time(_ option: String, _ zone: TimeZone, _ now: WallTime) throws(UsageError) -> WallTime? {
    guard let text = self[option] else { return nil }
    let today = zone.startOfDay(containing: now)
    switch text {
    case "now": return now
    case "today": return today
    case "yesterday": return zone.startOfDay(containing: today.advanced(by: .seconds(-1)))
    case "tomorrow": return zone.endOfDay(containing: now)
    default: break
    }
    if let time = WallTime(text) ?? WallTime(withSeconds(text)) ?? zone.time(text) { return time }
    if text.hasSuffix(" ago"), let length = try? IntervalComponents(String(text.dropLast(4))) {
      let civil = zone.advance(now, months: -length.months, days: -length.days)
      return civil.advanced(by: .seconds(-length.seconds))
    }
    throw refusal(
      "“\(text)” is not a time; give 2026-11-20, 2026-11-20T14:30, 2026-11-20T14:30+01:00, today, yesterday or "
        + "“7 days ago”")
  }

  /// Adds seconds to a time with an offset but no seconds, such as `2026-11-20T14:30Z`.
  private func withSeconds(_ text: String) -> String {
    guard text.count > 16, let mark = text.dropFirst(16).first, "Zz+-".contains(mark) else { return text }
    return "\(text.prefix(16)):00\(text.dropFirst(16))"
  }
}
