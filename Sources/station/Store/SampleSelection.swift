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
  func type(in store: SampleStore) async throws -> SampleType { try await Self.type(name, in: store) }

  /// The type of that name; it may be one that only the store defines.
  static func type(_ name: String, in store: SampleStore?) async throws -> SampleType {
    if name == SampleType.heartbeatSeries.description || name == SampleType.heartbeatSeries.healthKitIdentifier {
      return .heartbeatSeries
    }
    return .quantity(try await quantityType(name, in: store, aliases: [SampleType.heartbeatSeries.description]))
  }

  /// The quantity type of that name, including those that only the store defines; `nil` if there is none.
  static func quantityType(
    _ name: String, in store: SampleStore?, aliases: [String] = []
  ) async throws -> QuantityType {
    if let type = QuantityType(name) { return type }
    var own: [QuantityType] = []
    if let store, store.client == nil { own = try await store.types().filter(\.isUserDefined) }
    if let type = own.first(where: { $0.identifier == name || $0.healthKitIdentifier == name }) {
      return type
    }
    if let type = QuantityType(healthKit: name) { return type }
    throw Failure(Self.unknown(name, own.map(\.identifier) + aliases), status: .wrongUsage)
  }

  /// The message for an unknown type's name.
  static func unknown(_ name: String, _ others: [String] = []) -> String {
    let advice = Spelling.advice(
      for: name, among: QuantityType.all.map(\.identifier) + others, aliases: QuantityType.otherHealthKitNames)
    return "there is no quantity type “\(name)”; \(advice)"
  }

  /// The predicate that the options describe.
  ///
  /// - Throws: ``Failure`` for a source without samples of the type, listing those that have some, and for a beginning
  ///   of an identifier that matches no trial in the store, or several.
  func predicate(for type: SampleType, in store: SampleStore) async throws -> SamplePredicate {
    var predicate = SamplePredicate(start: start, end: end, options: options)
    predicate.metadata = conditions
    if !trials.isEmpty {
      let identifiers = try await TrialNames.identifiers(trials, in: store)
      predicate.metadata.append(.allowed(SampleKey.named("trial"), Set(identifiers.map { .string($0) })))
    }
    predicate.devices = try await Self.devices(called: devices, in: store)
    guard !sources.isEmpty else { return predicate }
    let known = try await store.sources(of: type)
    var chosen: Set<Source> = []
    for name in sources { chosen.formUnion(try Self.sources(called: name, among: known, "of \(type)")) }
    predicate.sources = chosen
    return predicate
  }

  /// The devices with these names or local identifiers; `nil` if no name is given.
  ///
  /// - Throws: ``Failure`` for a device without samples, listing those that have some.
  static func devices(called names: [String], in store: SampleStore) async throws -> Set<Device>? {
    guard !names.isEmpty else { return nil }
    let known = try await store.devices()
    return try names.reduce(into: []) { chosen, name in
      let named = known.filter { $0.name == name || $0.localIdentifier == name }
      guard !named.isEmpty else {
        let names = Set(known.compactMap(\.name)).sorted()
        throw Failure(
          "this store has no samples from a device “\(name)”"
            + (names.isEmpty ? "" : "; \(Spelling.advice(for: name, among: names))"))
      }
      chosen.formUnion(named)
    }
  }

  /// The sources with that name or bundle identifier, as typed on a keyboard.
  ///
  /// - Parameters:
  ///   - name: what the user typed; blanks and apostrophes of any kind match each other.
  ///   - known: the sources in the store.
  ///   - what: what they have samples of, for the message.
  /// - Returns: at least one source.
  /// - Throws: ``Failure`` if there is none, listing those that exist.
  static func sources(called name: String, among known: Set<Source>, _ what: String) throws -> Set<Source> {
    let exact = known.filter { $0.name == name || $0.bundleIdentifier == name }
    let typed = typed(name)
    let matching =
      exact.isEmpty ? known.filter { Self.typed($0.name) == typed || Self.typed($0.bundleIdentifier) == typed } : exact
    guard matching.isEmpty else { return matching }
    let names = Set(known.map(\.name)).sorted()
    throw Failure(
      "no source “\(name)” has samples \(what)"
        + (names.isEmpty ? "" : "; \(Spelling.advice(for: name, among: names))"))
  }

  // Apple's names have no-break spaces and typographic apostrophes, which are hard to type.
  private static func typed(_ name: String) -> String {
    String(
      String.UnicodeScalarView(
        name.unicodeScalars.map { scalar in
          switch scalar {
          case "\u{A0}", "\u{202F}": " "
          case "’": "'"
          default: scalar
          }
        }))
  }

  /// The requested time range; `nil` for an open end.
  var range: (start: WallTime?, end: WallTime?) { (start, end) }
}
