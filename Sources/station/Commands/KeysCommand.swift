import Basics
import Bundles
import Laboratory

extension Command {
  /// The keys with which bundles are signed.
  static let keys = Command(
    "keys", operands: "[list|create|show] [NAME]", "makes, lists and shows the keys with which archives are signed",
    options: [.keys, .json("one JSON array, or one object for create and show")],
    sections: [
      .init(
        title: "What is done:",
        rows: [
          .init("list", "print the names and fingerprints of the keys (default)"),
          .init("create", "make the key NAME (default: station): a private and a public file; no key is overwritten"),
          .init("show", "print the public key NAME (default: station), which others need for “station verify --key”"),
        ])
    ]
  ) { arguments in
    let action =
      try arguments.operands.first.map { try arguments.choice(operand: $0, Action.self, called: "action") }
    if action ?? .list == .list, arguments.operands.count > 1 { throw arguments.refusal("list takes no NAME") }
    let name = arguments.operands.count > 1 ? arguments.operands[1] : "station"
    let folder = try KeyFolder(arguments)
    let console = Console.standard
    switch action ?? .list {
    case .list:
      let keys = try folder.list()
      guard !keys.isEmpty || arguments.isJSON else {
        console.line("no keys in “\(folder.path.visible)”; “station keys create” makes one")
        return .done
      }
      var table = TextTable([("key", .left), ("fingerprint", .left)])
      for key in keys { table.add([key.name, key.publicKey.fingerprint]) }
      console.answer(arguments, .array(keys.map(\.json)), table.lines)
    case .create:
      let key = try folder.create(name)
      console.answer(
        arguments, key.json,
        [
          "made the key \(key.name), fingerprint \(key.publicKey.fingerprint), in “\(folder.path.visible)”",
          "give others the public key, \(key.name).pub; keep a copy of \(key.name).key in a safe place",
        ])
    case .show:
      let key = KeyFolder.Listed(name: name, publicKey: try folder.publicKey(name))
      console.write(arguments.isJSON ? key.json.encoded(pretty: true) : Array(key.publicKey.pem.utf8))
    }
    return .done
  }

  private enum Action: String, CaseIterable {
    case list
    case create
    case show
  }
}

extension Option {
  static let keys = Option("keys", value: "FOLDER", "the folder with the keys (default: ~/.config/station/keys)")
}

extension KeyFolder {
  /// The folder with the keys: the option's, else the one beside the user's settings.
  init(_ arguments: Arguments) throws(UsageError) {
    if let folder = arguments["keys"] {
      self.init(folder)
      return
    }
    guard let settings = AppliedSettings.userFile(environmentVariable) else {
      throw arguments.refusal("missing --keys FOLDER, since neither XDG_CONFIG_HOME nor HOME is set")
    }
    self.init("\(Folder.parent(of: settings))/keys")
  }
}

extension KeyFolder.Listed {
  fileprivate var json: JSONValue {
    ["name": .string(name), "fingerprint": .string(publicKey.fingerprint), "publicKey": .string(publicKey.pem)]
  }
}
