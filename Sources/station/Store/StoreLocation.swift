import Basics
import Quantities
import SampleStore
import Synchronization

/// Where the samples are stored: a file in the results folder, or the file or server that `--store` names.
struct StoreLocation: Sendable {
  /// The store options of commands that clients may use too.
  static let options =
    operatorOptions + [.init("client", value: "NAME", "use the store with this program's permissions")]

  /// The store options of commands for the operator only.
  static let operatorOptions =
    place + [.results]

  /// The options that locate the store.
  static let place: [Option] = [
    .init(
      "store", value: "FILE|postgresql://…",
      "the sample store (default: station.sqlite in the results folder)"),
    .init("site", value: "NAME", "the site, if several sites share a store (default: station)"),
  ]

  static let fileName = "station.sqlite"

  let results: String

  /// The file, or the server's URL, which may hold a password and is never shown.
  let path: String

  private let site: String
  private let client: String?

  /// The given location options, without a server's password: ` --results elsewhere`.
  let given: String

  init(_ arguments: Arguments) {
    results = arguments.results
    path = arguments["store"] ?? "\(results)/\(Self.fileName)"
    site = arguments["site"] ?? "station"
    client = arguments["client"]
    given = ["store", "results", "site"].map { name in
      guard let value = arguments[name] else { return "" }
      return SampleStore.isServer(value) ? " --store postgresql://…" : " --\(name) \(value.shellQuoted)"
    }.joined()
  }

  var isServer: Bool { SampleStore.isServer(path) }

  func open() async throws -> SampleStore {
    guard let store = try await openIfThere() else {
      throw Failure("there is no store “\(path.visible)”; “station store add” and every finished trial create one")
    }
    return store
  }

  /// Opens an existing store; `nil` if there is none.
  func openIfThere() async throws -> SampleStore? {
    try isServer || Folder.find(path) ? try await connect() : nil
  }

  /// Opens the store, and creates it if there is none; not for a client, who would have no permissions in a new store.
  ///
  /// Commands reject invalid arguments before this call, so that they leave no empty store.
  func openOrMake() async throws -> SampleStore {
    client == nil ? try await connect() : try await open()
  }

  private func connect() async throws -> SampleStore {
    try requireNoPassword()
    let report: @Sendable (String) -> Void = { Console.standard.report("waiting for \($0)") }
    let store =
      try await isServer
      ? SampleStore.postgres(path, site: site, patience: StorePatience(limit: .seconds(60), report: report))
      : .sqlite(path, site: site, patience: StorePatience(report: report))
    Self.opened.withLock { $0.append(store) }
    return try client.map { try store.asClient($0) } ?? store
  }

  /// Rejects an address with a password, which every user of the computer could see in the list of processes.
  func requireNoPassword() throws { try SampleStore.requireNoPassword(path, in: "store") }

  /// Replaces the file's store; see `SampleStore.replace`.
  func replace(_ fill: (SampleStore) async throws -> Void) async throws -> String? {
    try await SampleStore.replace(path, site: site, fill)
  }

  private static let opened = Mutex<[SampleStore]>([])

  /// Drops the stores without closing them, so that the process does not wait for one that does not answer.
  static func forgetAll() { opened.withLock { $0 = [] } }

  /// Closes the opened stores and waits until they are closed; a process does not wait for dropped stores.
  static func closeAll() async {
    let stores = opened.withLock { stores in
      defer { stores = [] }
      return stores
    }
    for store in stores { try? await store.close() }
  }
}

extension SampleStore {
  /// Rejects the address of a server, as an option names it, if it has a password.
  static func requireNoPassword(_ address: String, in option: String) throws {
    guard hasPassword(address) else { return }
    throw Failure(
      "a password in --\(option) is visible to every user of this computer in the list of processes: remove it, and "
        + "put it into ~/.pgpass or the file that PGPASSFILE names (mode 0600), or into PGPASSWORD", status: .wrongUsage
    )
  }
}
