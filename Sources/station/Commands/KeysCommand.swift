import Basics
import Bundles
import Glibc
import Laboratory

/// `station keys [list|create|show] [NAME]`: the keys with which bundles are signed.
struct KeysCommand: Command {
  static let syntax = CommandSyntax(
    "keys", operands: "[list|create|show] [NAME]", count: 0...2,
    "makes, lists and shows the keys with which archives are signed",
    options: [keysOption, .init("json", "print one JSON array, or one object for create and show")],
    sections: [
      .init(
        title: "What is done:",
        rows: [
          .init("list", "print the names and fingerprints of the keys (default)"),
          .init("create", "make the key NAME (default: station): a private and a public file; no key is overwritten"),
          .init("show", "print the public key NAME (default: station), which others need for “station verify --key”"),
        ])
    ])

  /// The `--keys` option.
  static let keysOption = CommandSyntax.Option(
    "keys", value: "FOLDER", "the folder with the keys (default: ~/.config/station/keys)")

  /// The name of a key that is not named.
  private static let usualName = "station"

  private enum Action: String, CaseIterable {
    case list
    case create
    case show
  }

  private let action: Action
  private let name: String
  private let folder: KeyFolder
  private let isJSON: Bool

  init(_ arguments: Arguments) throws {
    action =
      try arguments.operands.first.map { try arguments.choice(operand: $0, Action.self, called: "action") } ?? .list
    if action == .list, arguments.operands.count > 1 { throw arguments.refusal("list takes no NAME") }
    name = arguments.operands.count > 1 ? arguments.operands[1] : Self.usualName
    folder = try Self.folder(arguments)
    isJSON = arguments.has("json")
  }

  /// The folder with the keys: the option's, else the one beside the user's settings.
  static func folder(_ arguments: Arguments) throws -> KeyFolder {
    if let folder = arguments["keys"] { return KeyFolder(folder) }
    guard let settings = AppliedSettings.userFile({ name in unsafe getenv(name).map { unsafe String(cString: $0) } })
    else {
      throw arguments.refusal("missing --keys FOLDER, since neither XDG_CONFIG_HOME nor HOME is set")
    }
    return KeyFolder("\(Folder.parent(of: settings))/keys")
  }

  func run() async throws -> ExitStatus {
    let console = Console.standard
    switch action {
    case .list:
      let keys = try folder.list()
      if isJSON {
        console.write(JSONValue.array(keys.map(json)).encoded(pretty: true))
      } else if keys.isEmpty {
        console.line("no keys in “\(folder.path.visible)”; “station keys create” makes one")
      } else {
        var table = TextTable([("key", .left), ("fingerprint", .left)])
        for key in keys { table.add([key.name, key.publicKey.fingerprint]) }
        for line in table.lines { console.line(line) }
      }
    case .create:
      let key = try folder.create(name)
      if isJSON {
        console.write(json(key).encoded(pretty: true))
      } else {
        console.line("made the key \(key.name), fingerprint \(key.publicKey.fingerprint), in “\(folder.path.visible)”")
        console.line("give others the public key, \(key.name).pub; keep a copy of \(key.name).key in a safe place")
      }
    case .show:
      let key = KeyFolder.Listed(name: name, publicKey: try folder.publicKey(name))
      console.write(isJSON ? json(key).encoded(pretty: true) : Array(key.publicKey.pem.utf8))
    }
    return .done
  }

  private func json(_ key: KeyFolder.Listed) -> JSONValue {
    [
      "name": .string(key.name), "fingerprint": .string(key.publicKey.fingerprint),
      "publicKey": .string(key.publicKey.pem),
    ]
  }
}
