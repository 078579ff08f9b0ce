import Basics
import Quantities
import SampleStore

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

  private static let statuses = AuthorizationStatus.allCases.reversed().map { (name: $0.word, value: $0) }

  func run() async throws -> ExitStatus {
    let decisions =
      if let client { try await decide(of: client) } else { try await location.open().permissions() }
    if isJSON {
      Console.standard.write(JSONValue.array(decisions.map(\.json)).encoded(pretty: true))
    } else if client == nil {
      let lines = decisions.isEmpty ? ["no permissions set"] : Permission.table(decisions).lines
      for line in lines { Console.standard.line(line) }
    } else {
      for decision in decisions { Console.standard.line("\(decision)") }
    }
    return .done
  }

  /// Sets the program's permissions as the options say, and creates the store if there is none.
  private func decide(of client: String) async throws -> [Permission] {
    let known = try await location.openIfThere()
    var chosen: [SampleType] = []
    for name in types { chosen.append(try await SampleStore.type(name, in: known)) }
    if let reason = Storable.problem(with: client, "the client's identifier") { throw Failure(reason) }
    let isDecided = share != nil || read != nil
    let store =
      if let known { known } else { try await isDecided ? location.openOrMake() : location.open() }
    var decisions: [Permission] = []
    for type in chosen {
      var authorization = try await store.authorization(of: client, for: type)
      authorization.share = share ?? authorization.share
      authorization.read = read ?? authorization.read
      if isDecided { try await store.authorize(client, for: type, authorization) }
      decisions.append(Permission(client: client, type: type, authorization: authorization))
    }
    return decisions
  }
}
