import Basics
import SampleStore

/// `station store audit`: what programs did with the store, and what they were denied.
struct StoreAuditCommand: Command {
  static let syntax = CommandSyntax(
    "store audit", "lists what programs did with the store and what they were denied",
    options: [.init("json", "print one JSON object a line")] + StoreLocation.operatorOptions)

  private let location: StoreLocation
  private let isJSON: Bool

  init(_ arguments: Arguments) {
    location = StoreLocation(arguments)
    isJSON = arguments.has("json")
  }

  func run() async throws -> ExitStatus {
    let entries = try await location.open().audit()
    guard !isJSON else {
      for entry in entries where !Console.standard.isUnread {
        Console.standard.data(entry.json.text())
      }
      return .done
    }
    for line in AuditEntry.table(entries).lines { Console.standard.line(line) }
    return .done
  }
}
