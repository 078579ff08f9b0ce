import Basics
import Exchange
import HealthStore
import Quantities
import Synchronization

/// `station store delete`: deletes samples by their UUIDs, or everything of a participant, a type, a source or a time.
struct StoreDeleteCommand: Command {
  static let syntax = CommandSyntax(
    "store delete", operands: "[UUID…]", count: 0...100_000,
    "deletes samples: those with these UUIDs, all or none, or all to which every option applies",
    options: [
      .init("participant", value: "ID", "everything of this participant: samples, date of birth, sex"),
      .init("type", value: "TYPE", "only samples of this type"),
      .init("source", value: "NAME", "only samples of this source, by its name or bundle identifier"),
      .init("from", value: "TIME", "only samples that start then or later: 2026-11-20, 2026-11-20T14:30, yesterday"),
      .init("to", value: "TIME", "only samples that start before then"),
      .init("device", value: "NAME", repeats: true, "only samples that this device measured"),
      .init(
        "metadata", value: "KEY[=VALUE]", repeats: true,
        "only samples with this metadata key, such as station.clip, or with this value of it"),
      .init("preview", "count what would be deleted, and delete nothing"),
      SampleSelection.zoneOption,
      .init("json", "print one JSON object"),
    ] + StoreLocation.options)

  private let location: StoreLocation
  private let uuids: Set<UUID>
  private let participant: String?
  private let type: String?
  private let source: String?
  private let start: WallTime?
  private let end: WallTime?
  private let devices: [String]
  private let conditions: [MetadataCondition]
  private let isPreview: Bool
  private let isJSON: Bool

  init(_ arguments: Arguments) throws {
    location = StoreLocation(arguments)
    let (zone, now) = (try SampleSelection.zone(arguments, Self.syntax), WallTime.now)
    start = try arguments["from"].map { try SampleSelection.time($0, zone, now, Self.syntax) }
    end = try arguments["to"].map { try SampleSelection.time($0, zone, now, Self.syntax) }
    if let start, let end, end < start {
      throw UsageError(command: Self.syntax, reason: "--to \(end) lies before --from \(start)")
    }
    participant = arguments["participant"]
    type = arguments["type"]
    source = arguments["source"]
    devices = arguments.all("device")
    conditions = try arguments.all("metadata").map { try SampleSelection.condition($0, Self.syntax) }
    isPreview = arguments.has("preview")
    isJSON = arguments.has("json")
    uuids = Set(
      try arguments.operands.map { text in
        guard let uuid = UUID(text) else {
          throw UsageError(
            command: Self.syntax, reason: "“\(text)” is not a sample's UUID; “station query TYPE --json” prints them")
        }
        return uuid
      })
    let hasOptions = participant != nil || type != nil || source != nil || hasFilters
    if isPreview, !uuids.isEmpty {
      throw UsageError(command: Self.syntax, reason: "--preview counts what options choose; UUIDs are counted already")
    }
    guard uuids.isEmpty == hasOptions else {
      throw UsageError(
        command: Self.syntax,
        reason: hasOptions
          ? "UUIDs and options cannot be combined" : "missing samples: give UUIDs, or options such as --type and --from"
      )
    }
    if arguments.has("client"), type == nil, hasOptions {
      throw UsageError(command: Self.syntax, reason: "missing --type: with --client samples are deleted by their type")
    }
  }

  /// Whether options choose some of a participant's samples.
  private var hasFilters: Bool { start != nil || end != nil || !devices.isEmpty || !conditions.isEmpty }

  func run() async throws -> ExitStatus {
    let store = try await location.open()
    guard uuids.isEmpty else {
      do {
        try await store.delete(uuids)
      } catch let error as StoreError where error.code == .invalidArgument && store.client == nil {
        throw Failure("\(error): \(try await missing(in: store)); nothing was deleted")
      }
      if isJSON { Self.write(deleted: uuids.count, [:]) } else { Console.standard.line("deleted \(uuids.count)") }
      return .done
    }
    try await deleteChosen(from: store)
    return .done
  }

  /// The UUIDs that the store does not have, the first of them by name.
  private func missing(in store: SampleStore) async throws -> String {
    let known = Collected<UUID>()
    let predicate = SamplePredicate(uuids: uuids)
    for type in try await store.types() {
      try await store.forEachSample(of: type, matching: predicate) { sample in
        known.add(sample.uuid)
        return true
      }
    }
    let series = try await store.heartbeatSeries(matching: predicate).map(\.uuid)
    let missing = uuids.subtracting(known.values).subtracting(series).sorted()
    let more = missing.count > 3 ? " and \(missing.count - 3) more" : ""
    return missing.prefix(3).map { "\($0)" }.joined(separator: ", ") + more
  }

  /// Deletes type by type what the options choose.
  private func deleteChosen(from store: SampleStore) async throws {
    var types: [SampleType] = []
    if let type {
      types = [try await SampleSelection.type(type, in: store)]
    } else {
      types = try await store.types().map(SampleType.quantity) + [.heartbeatSeries]
    }
    var known: Set<Source> = []
    for type in types { known.formUnion(try await store.sources(of: type)) }
    // What a range of time means here is what starts in it: two ranges without a gap delete nothing twice.
    var predicate = SamplePredicate(start: start, end: end, options: start == nil && end == nil ? [] : .strictStartDate)
    predicate.metadata = conditions
    if let participant { predicate.metadata.append(.allowed(Metadata.Key.participant, [.string(participant)])) }
    predicate.devices = try await SampleSelection.devices(called: devices, in: store)
    predicate.sources = try source.map { try SampleSelection.sources(called: $0, among: known, "in this store") }
    var deleted: [String: JSONValue] = [:]
    var total = 0
    for type in types {
      let count =
        isPreview
        ? try await Self.count(type, predicate, in: store) : try await store.delete(type, matching: predicate)
      total += count
      guard count > 0 else { continue }
      deleted[type.healthKitIdentifier] = .integer(count)
      if !isJSON { Console.standard.line("\(isPreview ? "would delete" : "deleted") \(count) of \(type)") }
    }
    if let participant, type == nil, source == nil, !hasFilters, !isPreview {
      try await store.setCharacteristics(Characteristics(), of: participant)
    }
    if isJSON { return Self.write(deleted: total, deleted, isPreview: isPreview) }
    if total == 0 { Console.standard.line("no sample matches: nothing to delete") }
  }

  /// How many samples of a type match.
  private static func count(
    _ type: SampleType, _ predicate: SamplePredicate, in store: SampleStore
  ) async throws -> Int {
    guard case .quantity(let quantity) = type else { return try await store.heartbeatSeries(matching: predicate).count }
    let count = Mutex(0)
    try await store.forEachSample(of: quantity, matching: predicate) { _ in
      count.withLock { $0 += 1 }
      return true
    }
    return count.withLock(\.self)
  }

  /// Prints how many samples were deleted, and of which types where types were gone through.
  private static func write(deleted: Int, _ types: [String: JSONValue], isPreview: Bool = false) {
    let answer: JSONValue = [isPreview ? "wouldDelete" : "deleted": .integer(deleted), "types": .object(types)]
    Console.standard.write(answer.encoded(pretty: true))
  }
}
