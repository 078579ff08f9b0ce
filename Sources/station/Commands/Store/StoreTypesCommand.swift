import Basics
import SampleStore

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
    let contents = try await store.typeContents(isCounted: isCounted)
    guard !isJSON else {
      Console.standard.write(JSONValue.array(contents.map(\.json)).encoded(pretty: true))
      return .done
    }
    let lines = contents.isEmpty ? ["the store is empty"] : TypeContents.table(contents, isCounted: isCounted).lines
    for line in lines { Console.standard.line(line) }
    return .done
  }
}
