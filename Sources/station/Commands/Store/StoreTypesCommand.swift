import HealthStore
import JSON
import Quantities

/// `station store types`: what the store holds: each type with its sources.
struct StoreTypesCommand: Command {
  static let syntax = CommandSyntax(
    "store types", "lists the types of samples in the store, and their sources",
    options: [.init("json", "print one JSON array")] + StoreLocation.operatorOptions)

  private let location: StoreLocation
  private let isJSON: Bool

  init(_ arguments: Arguments) {
    location = StoreLocation(arguments)
    isJSON = arguments.has("json")
  }

  func run() async throws -> ExitStatus {
    let store = try await location.open()
    var rows: [(type: SampleType, sources: [Source])] = []
    for type in try await store.types().map(SampleType.quantity) + [.heartbeatSeries] {
      let sources = try await store.sources(of: type)
      guard !sources.isEmpty else { continue }
      rows.append((type, sources.sorted { ($0.name, $0.bundleIdentifier) < ($1.name, $1.bundleIdentifier) }))
    }
    guard !isJSON else {
      let array = JSONValue.array(
        rows.map { row in
          [
            "name": .string("\(row.type)"), "type": .string(row.type.healthKitIdentifier),
            "sources": .array(
              row.sources.map { ["name": .string($0.name), "bundleIdentifier": .string($0.bundleIdentifier)] }),
          ]
        })
      Console.standard.write(array.encoded(pretty: true))
      return .done
    }
    var table = Table([("type", .left), ("source", .left), ("bundle identifier", .left)])
    for row in rows {
      for (place, source) in row.sources.enumerated() {
        table.add([
          place == 0 ? "\(row.type)" : "", SampleRendering.plain(source.name),
          SampleRendering.plain(source.bundleIdentifier),
        ])
      }
    }
    for line in rows.isEmpty ? ["the store is empty"] : table.lines { Console.standard.line(line) }
    return .done
  }
}
