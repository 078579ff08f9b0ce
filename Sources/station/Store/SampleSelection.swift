import Basics
import HealthStore
import Quantities

/// Which samples a command is about: their type, and what its options say of their time, source and participant.
struct SampleSelection: Sendable {
  /// The options that choose samples.
  static let options: [CommandSyntax.Option] = [
    .init("from", value: "TIME", "only what ends then or later: 2026-11-20, 2026-11-20T14:30, yesterday, “7 days ago”"),
    .init("to", value: "TIME", "only what starts before then"),
    .init("strict", value: "start|end|both", "what starts in the range, ends in it, or both, as in HealthKit"),
    .init("source", value: "NAME", repeats: true, "only samples of this source, by its name or bundle identifier"),
    TrialOptions.participant,
    .init("session", value: "SESSION", repeats: true, "only samples of this session"),
    .init("trial", value: "ID", repeats: true, "only samples of this trial, by its identifier or the beginning of it"),
    .init("step", value: "STEP", repeats: true, "only samples that were recorded during this step"),
    .init("device", value: "NAME", repeats: true, "only samples that this device measured"),
    .init(
      "metadata", value: "KEY[=VALUE]", repeats: true,
      "only samples with this metadata key, such as station.clip, or with this value of it"),
    zoneOption,
  ]

  /// The option that chooses a time zone.
  static let zoneOption = CommandSyntax.Option(
    "time-zone", value: "ZONE", "the zone in which times are read and shown; this machine's unless it is given")

  /// The type's name as it was given.
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
      throw UsageError(command: syntax, reason: "--to \(end) lies before --from \(start)")
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

  /// Reads `station.clip` or `station.clip=chill_preview_4`; a number or `true` is compared as one as well.
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

  /// The time zone that the options name, else this machine's.
  static func zone(_ arguments: Arguments, _ syntax: CommandSyntax) throws -> TimeZone {
    do {
      return try arguments["time-zone"].map { name throws(TimeZoneError) in try TimeZone(name) } ?? .current
    } catch {
      throw UsageError(command: syntax, reason: "\(error)")
    }
  }

  /// Reads a time: of the zone where it has no offset of its own.
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

  /// A time with an offset and without seconds, such as `2026-11-20T14:30Z`, with seconds.
  private static func withSeconds(_ text: String) -> String {
    guard text.count > 16, let mark = text.dropFirst(16).first, "Zz+-".contains(mark) else { return text }
    return "\(text.prefix(16)):00\(text.dropFirst(16))"
  }

  /// The type, also one that the store alone knows.
  func type(in store: SampleStore) async throws -> SampleType { try await Self.type(name, in: store) }

  /// The type of that name, also one that the store alone knows.
  static func type(_ name: String, in store: SampleStore?) async throws -> SampleType {
    if name == SampleType.heartbeatSeries.description || name == SampleType.heartbeatSeries.healthKitIdentifier {
      return .heartbeatSeries
    }
    return .quantity(try await quantityType(name, in: store, aliases: [SampleType.heartbeatSeries.description]))
  }

  /// The quantity type of that name, also one that the store alone knows, where there is one.
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

  /// What is said of a type's name that is not known.
  static func unknown(_ name: String, _ others: [String] = []) -> String {
    let advice = Spelling.advice(
      for: name, among: QuantityType.all.map(\.identifier) + others, aliases: QuantityType.otherHealthKitNames)
    return "there is no quantity type “\(name)”; \(advice)"
  }

  /// What the options ask of samples.
  ///
  /// - Throws: ``Failure`` for a source that has no samples of the type, with those that have, and for the beginning of no
  ///   trial in the store, or of several.
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

  /// The devices of these names or local identifiers; `nil` where none is named.
  ///
  /// - Throws: ``Failure`` for a device that has measured nothing, with those that have.
  static func devices(called names: [String], in store: SampleStore) async throws -> Set<Device>? {
    guard !names.isEmpty else { return nil }
    let known = try await store.devices()
    return try names.reduce(into: []) { chosen, name in
      let named = known.filter { $0.name == name || $0.localIdentifier == name }
      guard !named.isEmpty else {
        let names = Set(known.compactMap(\.name)).sorted()
        throw Failure(
          "no device “\(name)” has measured anything in this store"
            + (names.isEmpty ? "" : "; \(Spelling.advice(for: name, among: names))"))
      }
      chosen.formUnion(named)
    }
  }

  /// The sources of that name or with that bundle identifier, as a keyboard writes it.
  ///
  /// - Parameters:
  ///   - name: what was typed; blanks and apostrophes of any kind are the same.
  ///   - known: the sources there are.
  ///   - what: of what they have samples, for the message.
  /// - Returns: those of that name, one at least.
  /// - Throws: ``Failure`` where there is none, with those that there are.
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

  // Apple's names have no-break spaces and typographic apostrophes, which no keyboard has.
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

  /// The range that was asked for; `nil` where an end is open.
  var range: (start: WallTime?, end: WallTime?) { (start, end) }
}
