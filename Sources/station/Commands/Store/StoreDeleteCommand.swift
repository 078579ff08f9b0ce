import Basics
import Quantities
import SampleStore

/// `station store delete`: deletes samples by UUID, or by participant, type, source or time.
struct StoreDeleteCommand: Command {
  static let syntax = CommandSyntax(
    "store delete", operands: "[UUID…]", count: 0...100_000,
    "deletes the samples with the given UUIDs (all or none), or all that match the options",
    options: [
      .init("participant", value: "ID", "everything of this participant: samples, date of birth, sex"),
      .init("type", value: "TYPE", "only samples of this type"),
      .init("source", value: "NAME", "only samples of this source, by its name or bundle identifier"),
      .init("from", value: "TIME", "only samples that start at this time or later: 2026-11-20T14:30, yesterday"),
      .init("to", value: "TIME", "only samples that start before this time"),
      .init("device", value: "NAME", repeats: true, "only samples of this device"),
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
    (start, end) = try arguments.times(try arguments.zone())
    participant = arguments["participant"]
    type = arguments["type"]
    source = arguments["source"]
    devices = arguments.all("device")
    conditions = try arguments.conditions()
    isPreview = arguments.has("preview")
    isJSON = arguments.has("json")
    uuids = Set(
      try arguments.operands.map { text in
        guard let uuid = UUID(text) else {
          throw arguments.refusal("“\(text)” is not a sample's UUID; “station query TYPE --json” prints them")
        }
        return uuid
      })
    let hasOptions = participant != nil || type != nil || source != nil || hasFilters
    if isPreview, !uuids.isEmpty {
      throw arguments.refusal("--preview and UUIDs cannot be combined")
    }
    guard uuids.isEmpty == hasOptions else {
      throw arguments.refusal(
        hasOptions
          ? "UUIDs and options cannot be combined" : "missing samples: give UUIDs, or options such as --type and --from"
      )
    }
    if arguments.has("client"), type == nil, hasOptions {
      throw arguments.refusal("missing --type: --client needs it to delete samples")
    }
  }

  /// Whether the options select only some of a participant's samples.
  private var hasFilters: Bool { start != nil || end != nil || !devices.isEmpty || !conditions.isEmpty }

  func run() async throws -> ExitStatus {
    let store = try await location.open()
    guard uuids.isEmpty else {
      do {
        try await store.delete(uuids)
      } catch let error as StoreError where error.code == .invalidArgument && store.client == nil {
        throw Failure("\(error): \(try await store.missing(uuids)); nothing was deleted")
      }
      if isJSON { Self.write(deleted: uuids.count, [:]) } else { Console.standard.line("deleted \(uuids.count)") }
      return .done
    }
    try await deleteChosen(from: store)
    return .done
  }

  /// Deletes the samples that match the options, type by type.
  private func deleteChosen(from store: SampleStore) async throws {
    var types: [SampleType] = []
    if let type {
      types = [try await SampleStore.type(type, in: store)]
    } else {
      types = try await store.types().map(SampleType.quantity) + [.heartbeatSeries]
    }
    var known: Set<Source> = []
    for type in types { known.formUnion(try await store.sources(of: type)) }
    // A time range selects the samples that start in it: adjacent ranges do not overlap.
    var predicate = SamplePredicate(start: start, end: end, options: start == nil && end == nil ? [] : .strictStartDate)
    predicate.metadata = conditions + MetadataCondition.participant(participant)
    predicate.devices = try await store.devices(called: devices)
    predicate.sources = try source.map { try known.called($0, "in this store") }
    var deleted: [String: JSONValue] = [:]
    var total = 0
    for type in types {
      let count =
        isPreview
        ? try await store.count(type, matching: predicate) : try await store.delete(type, matching: predicate)
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

  /// Prints how many samples were deleted, and how many of each type if the options selected them.
  private static func write(deleted: Int, _ types: [String: JSONValue], isPreview: Bool = false) {
    let answer: JSONValue = [isPreview ? "wouldDelete" : "deleted": .integer(deleted), "types": .object(types)]
    Console.standard.write(answer.encoded(pretty: true))
  }
}
