import Basics
import Glibc
import HealthStore
import Network

/// The options of commands that send to a server or a folder.
struct SendOptions: Sendable {
  /// How to reach a server.
  static let connection: [CommandSyntax.Option] = [
    .init(
      "token-file", value: "FILE",
      "a file of mode 600 with the server's token (default: the variable \(AccessToken.variable))"),
    .init("ca", value: "FILE", "trust the certificate authorities of this PEM file instead of the system's"),
    .init("insecure", "allow http:// to other computers: data and token are not encrypted"),
    .init("timeout", value: "SECONDS", "give up on a server that makes no progress for so long (default: 30)"),
  ]

  let token: AccessToken?
  let client: HTTPClient.Settings
  let isInsecure: Bool

  init(_ arguments: Arguments) throws {
    token = try AccessToken.find(file: arguments["token-file"], variables: Self.variable)
    var client = HTTPClient.Settings()
    if let file = arguments["ca"] {
      try Folder.check(file)
      client.authorities = file
    }
    if let silence = try arguments.wholeNumber("timeout", 1...3600) {
      (client.silence, client.connecting) = (silence, min(silence, client.connecting))
    }
    self.client = client
    isInsecure = arguments.has("insecure")
  }

  /// A variable of the environment.
  static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }
}

extension Destination {
  /// What sends bundles to the destination.
  func delivery(_ options: SendOptions) throws -> any Delivery {
    switch kind {
    case .folder(let path): return FolderDelivery(path)
    case .server(let url, .bundle):
      return ReceiverDelivery(try HTTPClient(options.client), address: url, token: options.token)
    case .server(let url, .json):
      return JSONDelivery(try HTTPClient(options.client), url: url, document: .tutorial, token: options.token)
    case .server(let url, .trial):
      return JSONDelivery(try HTTPClient(options.client), url: url, document: .trial, token: options.token)
    }
  }
}

extension Outbox {
  /// Opens the outbox of a results folder, and creates it if there is none.
  static func open(inResults results: String) async throws -> Outbox {
    try await open(
      "\(results)/\(StoreLocation.fileName)",
      patience: StorePatience { Console.standard.report("waiting for \($0)") })
  }
}
