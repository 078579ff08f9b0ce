import Basics
import Quantities
import SampleStore

/// `station store priority [SOURCE…]`: which source counts where several measured at the same time.
struct StorePriorityCommand: Command {
  static let syntax = CommandSyntax(
    "store priority", operands: "[SOURCE…]", count: 0...1000,
    "ranks sources: the first counts where samples overlap; without SOURCE, prints the order",
    options: [
      .init("clear", "clear the order; sources rank by name again"),
      .init("json", "print one JSON array"),
    ] + StoreLocation.operatorOptions)

  private let location: StoreLocation
  private let sources: [String]
  private let isCleared: Bool
  private let isJSON: Bool

  init(_ arguments: Arguments) throws {
    location = StoreLocation(arguments)
    sources = arguments.operands
    isCleared = arguments.has("clear")
    isJSON = arguments.has("json")
    if isCleared, !sources.isEmpty {
      throw arguments.refusal("--clear and an order of sources cannot be combined")
    }
  }

  func run() async throws -> ExitStatus {
    let store = try await location.open()
    var known: Set<Source> = []
    for type in try await store.types() { known.formUnion(try await store.sources(of: .quantity(type))) }
    if isCleared { try await store.setSourcePriority([]) }
    if !sources.isEmpty { try await store.setSourcePriority(try identifiers(among: known)) }
    let order = try await store.sourcePriority()
    let names = order.map { identifier in
      Set(known.filter { $0.bundleIdentifier == identifier }.map(\.name)).sorted()
    }
    guard !isJSON else {
      let answer = zip(order, names).map { identifier, names -> JSONValue in
        ["bundleIdentifier": .string(identifier), "names": .array(names.map { .string($0) })]
      }
      Console.standard.write(JSONValue.array(answer).encoded(pretty: true))
      return .done
    }
    for (place, identifier) in order.enumerated() {
      let name = names[place].isEmpty ? "" : "\(names[place].joined(separator: ", "))  "
      Console.standard.line("\(place + 1). \("\(name)\(identifier)".visible)")
    }
    if order.isEmpty { Console.standard.line("no order set: sources rank by name") }
    return .done
  }

  /// The bundle identifiers of the named sources; sources that share a name are sorted by identifier.
  private func identifiers(among known: Set<Source>) throws -> [String] {
    var order: [String] = []
    for name in sources {
      let named = try known.called(name, "in this store")
      for identifier in named.map(\.bundleIdentifier).sorted() where !order.contains(identifier) {
        order.append(identifier)
      }
    }
    return order
  }
}
