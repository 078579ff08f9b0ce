import HealthStore
import Quantities

/// `station store delete UUID…`: deletes samples, all or none.
struct StoreDeleteCommand: Command {
  static let syntax = CommandSyntax(
    "store delete", operands: "UUID…", count: 1...100_000, "deletes samples from the store, all or none",
    options: StoreLocation.options)

  private let location: StoreLocation
  private let uuids: [UUID]

  init(_ arguments: Arguments) throws {
    location = StoreLocation(arguments)
    uuids = try arguments.operands.map { text in
      guard let uuid = UUID(text) else {
        throw UsageError(
          command: Self.syntax, reason: "“\(text)” is not a sample's UUID; “station query TYPE --json” tells them")
      }
      return uuid
    }
  }

  func run() async throws -> ExitStatus {
    try await location.open().delete(Set(uuids))
    Console.standard.line("deleted \(Set(uuids).count)")
    return .done
  }
}
