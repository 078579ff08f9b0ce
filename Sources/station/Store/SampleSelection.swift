import Basics
import Exchange
import HealthStore
import Quantities

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

  init(_ name: String, _ arguments: Arguments, _ syntax: CommandSyntax) throws {
    self.name = name
    let zone = try Self.zone(arguments, syntax)
    self.zone = zone
    let now = WallTime.now
    start = try arguments["from"].map { try Self.time($0, zone, now, syntax) }
    end = try arguments["to"].map { try Self.time($0, zone, now, syntax) }
    if let start, let end, end < start {
      throw UsageError(command: syntax, reason: "--to \(end) is before --from \(start)")
    }
    options =
      try arguments.choice(
        "strict",
        among: [
          ("start", SamplePredicate.Options.strictStartDate), ("end", .strictEndDate),
          ("both", [.strictStartDate, .strictEndDate]),
        ]) ?? []
    sources = arguments.all("source")
    devices = arguments.all("device")
    var conditions = try arguments.all("metadata").map { try Self.condition($0, syntax) }
    if let participant = arguments["participant"] {
      conditions.append(.allowed(Metadata.Key.participant, [.string(participant)]))
    }
    trials = arguments.all("trial")
    for name in ["session", "step"] {
      let values = arguments.all(name)
      if !values.isEmpty { conditions.append(.allowed(SampleKey.named(name), Set(values.map { .string($0) }))) }
    }
    self.conditions = conditions
  }

  /// Reads `station.clip` or `station.clip=chill_preview_4`; numbers and Booleans also match as text.
  static func condition(_ text: String, _ syntax: CommandSyntax) throws -> MetadataCondition {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard !parts[0].isEmpty else {
      throw UsageError(command: syntax, reason: "invalid value “\(text)” for --metadata: expected KEY or KEY=VALUE")
    }
    guard parts.count == 2 else { return .exists(parts[0]) }
    var values: Set<Metadata.Value> = [.string(parts[1])]
    if let number = Double(parts[1]), number.isFinite { values.insert(.number(number)) }
    if let flag = Bool(parts[1]) { values.insert(.bool(flag)) }
    return .allowed(parts[0], values)
  }

  /// The time zone that the options name, or this computer's.
  static func zone(_ arguments: Arguments, _ syntax: CommandSyntax) throws -> TimeZone {
    do {
      return try arguments["time-zone"].map { name throws(TimeZoneError) in try TimeZone(name) } ?? .current
    } catch {
      throw UsageError(command: syntax, reason: "\(error)")
    }
  }

  /// Reads a time, in the given zone unless the text has an offset.
  static func time(
    _ text: String, _ zone: TimeZone, _ now: WallTime, _ syntax: CommandSyntax
  ) throws -> WallTime {
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
    throw UsageError(
      command: syntax,
      reason: "“\(text)” is not a time; give 2026-11-20, 2026-11-20T14:30, 2026-11-20T14:30+01:00, today, yesterday or "
        + "“7 days ago”")
  }

  /// Adds seconds to a time with an offset but no seconds, such as `2026-11-20T14:30Z`.
  private static func withSeconds(_ text: String) -> String {
    guard text.count > 16, let mark = text.dropFirst(16).first, "Zz+-".contains(mark) else { return text }
    return "\(text.prefix(16)):00\(text.dropFirst(16))"
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

  /// The requested time range; `nil` for an open end.
  var range: (start: WallTime?, end: WallTime?) { (start, end) }
}
