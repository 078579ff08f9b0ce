import Files
import HealthStore
import Quantities

/// Where the samples are kept: a file beside the bundles, or what `--store` says.
struct StoreLocation: Sendable {
  /// The options by which every command is told.
  static let options: [CommandSyntax.Option] = [
    .init("store", value: "FILE", "the sample store; “station.sqlite” in the results folder unless it is given"),
    .init("results", value: "FOLDER", "the results folder; “results” unless it is given"),
    .init("client", value: "NAME", "see the store as this program may, instead of as its operator"),
  ]

  /// The file's name in a results folder.
  static let fileName = "station.sqlite"

  /// The results folder whose bundles the store indexes.
  let results: String

  /// The file.
  let path: String

  private let client: String?

  init(_ arguments: Arguments) {
    results = arguments["results"] ?? "results"
    path = arguments["store"] ?? "\(results)/\(Self.fileName)"
    client = arguments["client"]
  }

  init(results: String) {
    self.results = results
    path = "\(results)/\(Self.fileName)"
    client = nil
  }

  /// Opens a store that is there already.
  ///
  /// - Throws: ``Failure`` when there is none, and the store's own errors.
  func open() async throws -> SampleStore {
    guard Folder.exists(path) else {
      throw Failure(
        "there is no store “\(path)”; “station store add” makes one from bundles, and so does every finished trial")
    }
    return try await openOrMake()
  }

  /// Opens the store, and makes it where there is none.
  func openOrMake() async throws -> SampleStore {
    let store: SampleStore
    do {
      store = try await SampleStore.sqlite(path)
    } catch {
      throw Failure("cannot open the store “\(path)”: \(error)")
    }
    return try client.map { try store.asClient($0) } ?? store
  }
}
