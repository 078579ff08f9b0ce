import HealthStore

/// `station store priority [SOURCE…]`: whom to believe where several sources measured at once.
struct StorePriorityCommand: Command {
  static let syntax = CommandSyntax(
    "store priority", operands: "[SOURCE…]", count: 0...1000,
    "puts sources in the order in which sums believe them; without one, prints the order",
    options: StoreLocation.options)

  private let location: StoreLocation
  private let sources: [String]

  init(_ arguments: Arguments) {
    location = StoreLocation(arguments)
    sources = arguments.operands
  }

  func run() async throws -> ExitStatus {
    let store = try await location.open()
    if !sources.isEmpty { try await store.setSourcePriority(sources) }
    let order = try await store.sourcePriority()
    for (place, source) in order.enumerated() {
      Console.standard.line("\(place + 1). \(SampleRendering.plain(source))")
    }
    if order.isEmpty { Console.standard.line("no order: sources are believed by their names") }
    return .done
  }
}
