import Basics
import Laboratory
import SampleStore
import Session

/// The options of commands that send to a server or a folder.
struct SendOptions: Sendable {
  /// How to reach a server.
  static let connection: [Option] = [
    .init(
      "token-file", value: "FILE",
      "a file of mode 600 with the server's token (default: the variable \(AccessToken.variable))"),
    .init("ca", value: "FILE", "trust the certificate authorities of this PEM file instead of the system's"),
    .init("insecure", "allow http:// to other computers: data and token are not encrypted"),
    .init(
      "timeout", value: "SECONDS",
      "give up on a server that makes no progress for so long, or whose answer takes longer (default: 30)"),
  ]

  let token: AccessToken?
  let client: HTTPClient.Settings
  let isInsecure: Bool

  init(_ arguments: Arguments, _ settings: SentSettings? = nil) throws {
    token = try AccessToken.find(file: arguments["token-file"] ?? settings?.tokenFile, variables: environmentVariable)
    var client = HTTPClient.Settings()
    if let file = arguments["ca"] ?? settings?.authorities {
      try Folder.check(file)
      client.authorities = file
    }
    if let silence = try arguments.wholeNumber("timeout", 1...3600) {
      (client.silence, client.connecting) = (silence, min(silence, client.connecting))
    }
    self.client = client
    isInsecure = arguments.has("insecure") || settings?.value.isInsecure == true
  }
}

/// The destination of a settings file, with its files relative to that.
struct SentSettings: Sendable {
  let value: StationSettings.Sending
  private let folder: String

  init?(_ settings: AppliedSettings) {
    guard let sending = settings.sending else { return nil }
    (value, folder) = (sending.value, Folder.parent(of: sending.file.path))
  }

  var tokenFile: String? { value.tokenFile.map { Folder.path($0, from: folder) } }
  var authorities: String? { value.authorities.map { Folder.path($0, from: folder) } }

  /// The address, of which a folder is relative to the settings file as well.
  var address: String { value.address.contains("://") ? value.address : Folder.path(value.address, from: folder) }

  var form: Destination.Form? { value.form.flatMap(Destination.Form.init) }

  /// What sends the bundles of a session.
  ///
  /// - Throws: `DestinationError`, `AccessTokenError` and `FileError`.
  func automatic(_ arguments: Arguments) throws -> AutomaticSending {
    AutomaticSending(
      destination: try Destination(address, form: form, isInsecure: value.isInsecure),
      options: try SendOptions(arguments, self), isShared: value.isShared)
  }
}

/// What sends the bundles of a session after each trial.
struct AutomaticSending: Sendable {
  let destination: Destination
  let options: SendOptions
  let isShared: Bool

  /// The follower of the session's bundles.
  func follower(results: String) throws -> OutboxFollower {
    // All that belongs to the results stays private.
    if isShared { NewFiles.share() }
    return OutboxFollower(
      results: results, to: destination, by: try destination.delivery(options), console: Console.standard
    ) { try await Outbox.open(inResults: results) }
  }
}

extension Destination {
  /// What sends bundles to the destination.
  func delivery(_ options: SendOptions) throws -> any Delivery {
    switch kind {
    case .folder(let path): return FolderDelivery(path)
    case .webDAV(let url): return WebDAVDelivery(try HTTPClient(options.client), folder: url, token: options.token)
    case .s3(let url):
      return S3Delivery(
        try HTTPClient(options.client), folder: url,
        signing: try S3Signing(options.token, variables: environmentVariable))
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
    try await open("\(results)/\(StoreLocation.fileName)", patience: patience)
  }

  /// Opens the outbox of a results folder; `nil` if there is none.
  static func openIfThere(inResults results: String) async throws -> Outbox? {
    try await openIfThere("\(results)/\(StoreLocation.fileName)", patience: patience)
  }

  private static let patience = StorePatience { Console.standard.report("waiting for \($0)") }
}
