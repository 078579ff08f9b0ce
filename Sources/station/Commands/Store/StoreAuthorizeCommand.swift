import Basics
import HealthStore
import Quantities

/// `station store authorize CLIENT TYPE`: sets what a program may do with a type.
struct StoreAuthorizeCommand: Command {
  static let syntax = CommandSyntax(
    "store authorize", operands: "[CLIENT TYPE…]", count: 0...1000,
    "sets what a program may save and read; without CLIENT, prints all permissions",
    options: [
      .init("share", value: "yes|no|ask", "whether it may save and delete its own samples"),
      .init("read", value: "yes|no|ask", "whether it may read others' samples; a refusal is not visible to it"),
      .init("json", "print one JSON array"),
    ] + StoreLocation.operatorOptions)

  private let location: StoreLocation
  private let client: String?
  private let types: [String]
  private let share: AuthorizationStatus?
  private let read: AuthorizationStatus?
  private let isJSON: Bool

  init(_ arguments: Arguments) throws {
    location = StoreLocation(arguments)
    client = arguments.operands.first
    types = Array(arguments.operands.dropFirst())
    isJSON = arguments.has("json")
    guard client == nil || !types.isEmpty else {
      throw arguments.refusal("missing TYPE after the program's name")
    }
    guard client != nil || !(arguments.has("share") || arguments.has("read")) else {
      throw arguments.refusal("missing CLIENT and TYPE, which --share and --read apply to")
    }
    share = try arguments.choice("share", among: Self.statuses)
    read = try arguments.choice("read", among: Self.statuses)
  }

  private static let statuses: [(name: String, value: AuthorizationStatus)] = [
    ("yes", .sharingAuthorized), ("no", .sharingDenied), ("ask", .notDetermined),
  ]

  /// The option value for a status.
  private static func word(_ status: AuthorizationStatus) -> String {
    switch status {
    case .sharingAuthorized: "yes"
    case .sharingDenied: "no"
    case .notDetermined: "ask"
    }
  }

  /// The permissions of one program for one type.
  private struct Decision {
    let client: String
    let type: SampleType
    let authorization: Authorization
  }

  func run() async throws -> ExitStatus {
    let decisions =
      if let client { try await decide(of: client) } else { try await all(in: try await location.open()) }
    if isJSON {
      Console.standard.write(JSONValue.array(decisions.map(Self.json)).encoded(pretty: true))
    } else if client == nil {
      Self.list(decisions)
    } else {
      for decision in decisions {
        Console.standard.line(
          "\(decision.client.visible): \(decision.type): save \(Self.word(decision.authorization.share)), "
            + "read \(Self.word(decision.authorization.read))")
      }
    }
    return .done
  }

  /// Sets the program's permissions as the options say, and creates the store if there is none.
  private func decide(of client: String) async throws -> [Decision] {
    let known = try await location.openIfThere()
    var chosen: [SampleType] = []
    for name in types { chosen.append(try await SampleStore.type(name, in: known)) }
    if let reason = Storable.complaint(about: client, "the client's identifier") { throw Failure(reason) }
    let isDecided = share != nil || read != nil
    let store =
      if let known { known } else { try await isDecided ? location.openOrMake() : location.open() }
    var decisions: [Decision] = []
    for type in chosen {
      var authorization = try await store.authorization(of: client, for: type)
      authorization.share = share ?? authorization.share
      authorization.read = read ?? authorization.read
      if isDecided { try await store.authorize(client, for: type, authorization) }
      decisions.append(Decision(client: client, type: type, authorization: authorization))
    }
    return decisions
  }

  /// All permissions, sorted by program and type.
  private func all(in store: SampleStore) async throws -> [Decision] {
    try await store.authorizations().sorted { $0.key < $1.key }.flatMap { client, decided in
      decided.sorted { "\($0.key)" < "\($1.key)" }.map { type, authorization in
        Decision(client: client, type: type, authorization: authorization)
      }
    }
  }

  private static func list(_ decisions: [Decision]) {
    var table = TextTable([("program", .left), ("type", .left), ("save", .left), ("read", .left)])
    for decision in decisions {
      table.add([
        decision.client, "\(decision.type)", word(decision.authorization.share), word(decision.authorization.read),
      ])
    }
    for line in decisions.isEmpty ? ["no permissions set"] : table.lines { Console.standard.line(line) }
  }

  private static func json(_ decision: Decision) -> JSONValue {
    [
      "client": .string(decision.client), "type": .string(decision.type.healthKitIdentifier),
      "share": .string(word(decision.authorization.share)), "read": .string(word(decision.authorization.read)),
    ]
  }
}
