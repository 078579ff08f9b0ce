import HealthStore
import Quantities
import Spelling

/// `station store authorize CLIENT TYPE`: decides what a program may do with a type.
struct StoreAuthorizeCommand: Command {
  static let syntax = CommandSyntax(
    "store authorize", operands: "[CLIENT TYPE…]", count: 0...1000,
    "decides what a program may save and read; without a program, prints everything that was decided",
    options: [
      .init("share", value: "yes|no|ask", "whether it may save and delete samples of its own"),
      .init("read", value: "yes|no|ask", "whether it may read others' samples; it is never told that it may not"),
    ] + StoreLocation.operatorOptions)

  private let location: StoreLocation
  private let client: String?
  private let types: [String]
  private let share: AuthorizationStatus?
  private let read: AuthorizationStatus?

  init(_ arguments: Arguments) throws {
    location = StoreLocation(arguments)
    client = arguments.operands.first
    types = Array(arguments.operands.dropFirst())
    guard client == nil || !types.isEmpty else {
      throw UsageError(command: Self.syntax, reason: "of which types? name them after the program")
    }
    guard client != nil || !(arguments.has("share") || arguments.has("read")) else {
      throw UsageError(command: Self.syntax, reason: "whose? name the program and the types")
    }
    share = try arguments.choice("share", among: Self.statuses)
    read = try arguments.choice("read", among: Self.statuses)
  }

  private static let statuses: [(name: String, value: AuthorizationStatus)] = [
    ("yes", .sharingAuthorized), ("no", .sharingDenied), ("ask", .notDetermined),
  ]

  /// The word by which a status is chosen.
  private static func word(_ status: AuthorizationStatus) -> String {
    switch status {
    case .sharingAuthorized: "yes"
    case .sharingDenied: "no"
    case .notDetermined: "ask"
    }
  }

  func run() async throws -> ExitStatus {
    let store = try await location.openOrMake()
    guard let client else { return try await list(store) }
    var chosen: [SampleType] = []
    for name in types { chosen.append(try await SampleSelection.type(name, in: store)) }
    for type in chosen {
      var authorization = try await store.authorization(of: client, for: type)
      authorization.share = share ?? authorization.share
      authorization.read = read ?? authorization.read
      if share != nil || read != nil { try await store.authorize(client, for: type, authorization) }
      Console.standard.line(
        "\(client.visible): \(type): save \(Self.word(authorization.share)), "
          + "read \(Self.word(authorization.read))")
    }
    return .done
  }

  private func list(_ store: SampleStore) async throws -> ExitStatus {
    let all = try await store.authorizations()
    var table = Table([("program", .left), ("type", .left), ("save", .left), ("read", .left)])
    for client in all.keys.sorted() {
      for (type, decided) in (all[client] ?? [:]).sorted(by: { "\($0.key)" < "\($1.key)" }) {
        table.add([client, "\(type)", Self.word(decided.share), Self.word(decided.read)])
      }
    }
    for line in all.isEmpty ? ["nothing was decided"] : table.lines { Console.standard.line(line) }
    return .done
  }
}
