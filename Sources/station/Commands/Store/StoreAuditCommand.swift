import Basics
import HealthStore
import Quantities

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
        let object: JSONValue = [
          "time": .string(entry.time.precise), "client": .string(entry.client),
          "action": .string(entry.action.rawValue), "type": .string(entry.type.healthKitIdentifier),
          "outcome": .string(entry.outcome.rawValue),
        ]
        Console.standard.data(object.text())
      }
      return .done
    }
    var table = TextTable([("time", .left), ("client", .left), ("action", .left), ("type", .left), ("outcome", .left)])
    for entry in entries {
      table.add([
        "\(entry.time)", entry.client.visible, entry.action.rawValue, "\(entry.type)",
        entry.outcome.rawValue,
      ])
    }
    for line in table.lines { Console.standard.line(line) }
    return .done
  }
}
