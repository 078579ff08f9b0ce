import Basics
import HealthStore
import Quantities

/// `station store types`: the types of samples in the store, each with its sources.
struct StoreTypesCommand: Command {
  static let syntax = CommandSyntax(
    "store types", "lists the types of samples in the store, and their sources",
    options: [
      .init("count", "also the number of samples, and when the first and the last start; reads them all"),
      .init("json", "print one JSON array"),
    ] + StoreLocation.operatorOptions)

  private let location: StoreLocation
  private let isJSON: Bool
  private let isCounted: Bool

  init(_ arguments: Arguments) {
    location = StoreLocation(arguments)
    isJSON = arguments.has("json")
    isCounted = arguments.has("count")
  }

  func run() async throws -> ExitStatus {
    let store = try await location.open()
    var rows: [(type: SampleType, sources: [Source])] = []
    for type in try await store.types().map(SampleType.quantity) + [.heartbeatSeries] {
      let sources = try await store.sources(of: type)
      guard !sources.isEmpty else { continue }
      rows.append((type, sources.sorted { ($0.name, $0.bundleIdentifier) < ($1.name, $1.bundleIdentifier) }))
    }
    let contents = isCounted ? try await store.contents() : [:]
    guard !isJSON else {
      let array = JSONValue.array(rows.map { row in Self.json(row.type, row.sources, contents[row.type]) })
      Console.standard.write(array.encoded(pretty: true))
      return .done
    }
    var table = TextTable(
      [("type", .left)] + (isCounted ? [("samples", .right), ("first", .left), ("last", .left)] : [])
        + [("source", .left), ("bundle identifier", .left)])
    for row in rows {
      let kept = contents[row.type].map { ["\($0.count)", "\($0.first)", "\($0.last)"] } ?? ["0", "–", "–"]
      for (place, source) in row.sources.enumerated() {
        let head = isCounted ? ["\(row.type)"] + kept : ["\(row.type)"]
        table.add(
          (place == 0 ? head : head.map { _ in "" }) + [
            source.name.visible,
            source.bundleIdentifier.visible,
          ])
      }
    }
    for line in rows.isEmpty ? ["the store is empty"] : table.lines { Console.standard.line(line) }
    return .done
  }

  private static func json(_ type: SampleType, _ sources: [Source], _ contents: StoreContents?) -> JSONValue {
    var members: [String: JSONValue] = [
      "name": .string("\(type)"), "type": .string(type.healthKitIdentifier),
      "sources": .array(
        sources.map { ["name": .string($0.name), "bundleIdentifier": .string($0.bundleIdentifier)] }),
    ]
    if let contents {
      members["samples"] = .integer(contents.count)
      members["firstStartDate"] = .string(contents.first.precise)
      members["lastStartDate"] = .string(contents.last.precise)
    }
    return .object(members)
  }
}
