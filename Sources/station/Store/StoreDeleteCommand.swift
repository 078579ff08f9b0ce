import Basics
import Quantities
import SampleStore

extension Command {
  /// Deletes samples by UUID, or by participant, type, source or time.
  static let storeDelete = Command(
    "store delete", operands: "[UUID…]",
    "deletes the samples with the given UUIDs (all or none), or all that match the options",
    options: [
      .init("participant", value: "ID", "everything of this participant: samples, date of birth, sex"),
      .init("type", value: "TYPE", "only samples of this type"),
      .init("source", value: "NAME", "only samples of this source, by its name or bundle identifier"),
      .init("from", value: "TIME", "only samples that start at this time or later: 2026-11-20T14:30, yesterday"), .to,
      .device, .metadata, .init("preview", "count what would be deleted, and delete nothing"), .timeZone, .json(),
    ] + StoreLocation.options
  ) { arguments in
    let location = StoreLocation(arguments)
    let uuids = try arguments.operands.map { text in
      guard let uuid = UUID(text) else {
        throw arguments.refusal("“\(text)” is not a sample's UUID; “station query TYPE --json” prints them")
      }
      return uuid
    }
    let choice = try SampleChoice(arguments)
    guard uuids.isEmpty || !arguments.has("preview") else {
      throw arguments.refusal("--preview and UUIDs cannot be combined")
    }
    guard uuids.isEmpty || choice.isAll else { throw arguments.refusal("UUIDs and options cannot be combined") }
    guard !uuids.isEmpty || !choice.isAll else {
      throw arguments.refusal("missing samples: give UUIDs, or options such as --type and --from")
    }
    if arguments.has("client"), choice.type == nil, !choice.isAll {
      throw arguments.refusal("missing --type: --client needs it to delete samples")
    }
    let store = try await location.open()
    guard !uuids.isEmpty else { return try await choice.delete(from: store, arguments) }
    do {
      try await store.delete(Set(uuids))
    } catch let error as StoreError where error.code == .invalidArgument && store.client == nil {
      throw Failure("\(error): \(try await store.missing(Set(uuids))); nothing was deleted")
    }
    let count = Set(uuids).count
    Console.standard.answer(arguments, ["deleted": .integer(count), "types": [:]], ["deleted \(count)"])
    return .done
  }
}

/// The samples that options choose, type by type.
private struct SampleChoice {
  let type: String?
  private let participant: String?
  private let source: String?
  private let predicate: SamplePredicate
  private let devices: [String]

  init(_ arguments: Arguments) throws {
    (type, participant, source) = (arguments["type"], arguments["participant"], arguments["source"])
    devices = arguments.all("device")
    let (start, end) = try arguments.times(try arguments.zone())
    // A time range selects the samples that start in it: adjacent ranges do not overlap.
    var predicate = SamplePredicate(start: start, end: end, options: start == nil && end == nil ? [] : .strictStartDate)
    predicate.metadata = try arguments.conditions()
    self.predicate = predicate
  }

  /// Whether nothing was chosen.
  var isAll: Bool { participant == nil && isAllOfParticipant }

  private var isAllOfParticipant: Bool {
    type == nil && source == nil && devices.isEmpty && predicate.start == nil && predicate.end == nil
      && predicate.metadata.isEmpty
  }

  func delete(from store: SampleStore, _ arguments: Arguments) async throws -> ExitStatus {
    let isPreview = arguments.has("preview")
    let types =
      if let type { [try await SampleStore.type(type, in: store)] } else {
        try await store.types().map(SampleType.quantity) + [.heartbeatSeries]
      }
    var known: Set<Source> = []
    for type in types { known.formUnion(try await store.sources(of: type)) }
    var predicate = predicate
    predicate.metadata += MetadataCondition.participant(participant)
    predicate.devices = try await store.devices(called: devices)
    predicate.sources = try source.map { try known.called($0, "in this store") }
    var deleted: [(type: SampleType, count: Int)] = []
    for type in types {
      let count =
        isPreview
        ? try await store.count(type, matching: predicate) : try await store.delete(type, matching: predicate)
      guard count > 0 else { continue }
      deleted.append((type, count))
      if !arguments.isJSON { Console.standard.line("\(isPreview ? "would delete" : "deleted") \(count) of \(type)") }
    }
    if let participant, isAllOfParticipant, !isPreview {
      try await store.setCharacteristics(Characteristics(), of: participant)
    }
    Console.standard.answer(
      arguments,
      [
        isPreview ? "wouldDelete" : "deleted": .integer(deleted.map(\.count).reduce(0, +)),
        "types": .object(Dictionary(deleted.map { ($0.type.healthKitIdentifier, .integer($0.count)) }) { $1 }),
      ], deleted.isEmpty ? ["no sample matches: nothing to delete"] : [])
    return .done
  }
}
