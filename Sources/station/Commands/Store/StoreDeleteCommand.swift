import HealthStore
import JSON
import Quantities
import Times

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
    isJSON = arguments.has("json")
    uuids = Set(
      try arguments.operands.map { text in
        guard let uuid = UUID(text) else {
          throw UsageError(
            command: Self.syntax, reason: "“\(text)” is not a sample's UUID; “station query TYPE --json” tells them")
        }
        return uuid
      })
    let hasOptions = participant != nil || type != nil || source != nil || start != nil || end != nil
    guard uuids.isEmpty == hasOptions else {
      throw UsageError(
        command: Self.syntax,
        reason: hasOptions
          ? "UUIDs and options are two ways to choose; take one" : "which samples? give UUIDs or an option")
    }
    if arguments.has("client"), type == nil, hasOptions {
      throw UsageError(command: Self.syntax, reason: "a program deletes by --type; it does not know of the others")
    }
  }

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
    if let participant { predicate.metadata = [.allowed(Metadata.Key.participant, [.string(participant)])] }
    predicate.sources = try source.map { try SampleSelection.sources(called: $0, among: known, "in this store") }
    var deleted: [String: JSONValue] = [:]
    var total = 0
    for type in types {
      let count = try await store.delete(type, matching: predicate)
      total += count
      guard count > 0 else { continue }
      deleted[type.healthKitIdentifier] = .integer(count)
      if !isJSON { Console.standard.line("deleted \(count) of \(type)") }
    }
    if let participant, type == nil, source == nil, start == nil, end == nil {
      try await store.setCharacteristics(Characteristics(), of: participant)
    }
    if isJSON { return Self.write(deleted: total, deleted) }
    if total == 0 { Console.standard.line("there was nothing to delete") }
  }

  /// Prints how many samples were deleted, and of which types where types were gone through.
  private static func write(deleted: Int, _ types: [String: JSONValue]) {
    let answer: JSONValue = ["deleted": .integer(deleted), "types": .object(types)]
    Console.standard.write(answer.encoded(pretty: true))
  }
}
