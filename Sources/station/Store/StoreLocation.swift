import Basics
import HealthStore
import Quantities
import Synchronization

/// Where the samples are kept: a file beside the bundles, or the file or server that `--store` says.
struct StoreLocation: Sendable {
  /// The options by which every command is told that clients may use as well.
  static let options =
    operatorOptions + [.init("client", value: "NAME", "see the store as this program may, instead of as its operator")]

  /// The options by which commands are told that are the operator's.
  static let operatorOptions =
    place + [resultsOption]

  /// The option that says where results are.
  static let resultsOption = CommandSyntax.Option(
    "results", value: "FOLDER", "the results folder; “results” unless it is given")

  /// Those of them that say where the store is.
  static let place: [CommandSyntax.Option] = [
    .init(
      "store", value: "FILE|postgresql://…",
      "the sample store; “station.sqlite” in the results folder unless it is given"),
    .init("site", value: "NAME", "whose samples, where sites share a store; “station” unless it is given"),
  ]

  /// The file's name in a results folder.
  static let fileName = "station.sqlite"

  /// The results folder whose bundles the store indexes.
  let results: String

  /// The file, or the server's URL, which may hold a password and is never shown.
  let path: String

  private let site: String
  private let client: String?

  /// The options that said this, as they were given and without a server's password: ` --results elsewhere`.
  let given: String

  init(_ arguments: Arguments) {
    results = arguments["results"] ?? "results"
    path = arguments["store"] ?? "\(results)/\(Self.fileName)"
    site = arguments["site"] ?? Self.site
    client = arguments["client"]
    given = ["store", "results", "site"].map { name in
      guard let value = arguments[name] else { return "" }
      return SampleStore.isServer(value) ? " --store postgresql://…" : " --\(name) \(value.shellQuoted)"
    }.joined()
  }

  /// The site of a station that shares its store with no other.
  private static let site = "station"

  /// Whether the store is on a server instead of in a file.
  var isServer: Bool { SampleStore.isServer(path) }

  /// Opens a store that is there already.
  ///
  /// - Throws: ``Failure`` when there is none, and the store's own errors.
  func open() async throws -> SampleStore {
    guard let store = try await openIfThere() else {
      throw Failure(
        "there is no store “\(path.visible)”; “station store add” makes one from bundles, and so does every finished trial"
      )
    }
    return store
  }

  /// Opens a store that is there already; `nil` where there is none.
  func openIfThere() async throws -> SampleStore? {
    try isServer || Folder.find(path) ? try await connect() : nil
  }

  /// Opens the store, and makes it where there is none; not for a client, whom a new store would let do nothing.
  ///
  /// What refuses its arguments does so before, so that it leaves no empty store.
  ///
  /// - Throws: ``Failure`` for an address with a password, and the store's own errors.
  func openOrMake() async throws -> SampleStore {
    client == nil ? try await connect() : try await open()
  }

  private func connect() async throws -> SampleStore {
    try requireNoPassword()
    let report: @Sendable (String) -> Void = { Console.standard.complain("waiting for \($0)") }
    let store =
      try await isServer
      ? SampleStore.postgres(path, site: site, patience: StorePatience(limit: .seconds(60), report: report))
      : .sqlite(path, site: site, patience: StorePatience(report: report))
    Self.opened.withLock { $0.append(store) }
    return try client.map { try store.asClient($0) } ?? store
  }

  /// Refuses an address with a password, which every user of the computer sees in the list of processes.
  func requireNoPassword() throws {
    guard SampleStore.hasPassword(path) else { return }
    throw Failure(
      "a password in --store is visible to every user of this computer in the list of processes: leave it out, and put it "
        + "into ~/.pgpass or the file that PGPASSFILE names (mode 0600), or into PGPASSWORD", status: .wrongUsage)
  }

  /// Replaces the file's store; see `SampleStore.replace`.
  func replace(_ fill: (SampleStore) async throws -> Void) async throws -> String? {
    try await SampleStore.replace(path, site: site, fill)
  }

  /// Every store that this process has opened.
  private static let opened = Mutex<[SampleStore]>([])

  /// Leaves open what was opened, for the end of the process to close: a store that does not answer is not waited for.
  static func forgetAll() { opened.withLock { $0 = [] } }

  /// Closes what was opened, for which a store that is only left does not make its process wait.
  static func closeAll() async {
    let stores = opened.withLock { stores in
      defer { stores = [] }
      return stores
    }
    for store in stores { try? await store.close() }
  }
}
