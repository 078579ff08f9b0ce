import Basics
import Dispatch
import Synchronization

/// Polls a server every 50 ms for changes of a site's samples.
///
/// The poll reads one number, on the watch's own connection. While the server cannot be reached, the watch signals once
/// a second, so that a waiting process sees the error in its own query.
final class PostgresWatch: StoreWatch {
  private let bell = Bell()
  private let queue = DispatchQueue(label: "station.store.watch")
  // Dispatch sources are thread-safe, though their type is not marked Sendable.
  nonisolated(unsafe) private let timer: any DispatchSourceTimer

  /// The polling interval in milliseconds.
  private static let pulse = 50

  init(_ address: PostgresAddress, site: Int64) {
    let inquiry = ChangeInquiry(address, site: site)
    unsafe timer = DispatchSource.makeTimerSource(queue: queue)
    unsafe timer.schedule(deadline: .now(), repeating: .milliseconds(Self.pulse))
    unsafe timer.setEventHandler { [bell] in if inquiry.hasNews() { bell.ring() } }
    unsafe timer.resume()
  }

  deinit { unsafe timer.cancel() }

  func wait() async -> Bool { await bell.wait() }

  func stop() {
    unsafe timer.cancel()
    bell.stop()
  }
}

/// The last change of a site that a watch has seen; only the watch's queue uses it.
private final class ChangeInquiry {
  private let address: PostgresAddress
  private let site: Int64
  private var connection: PostgresConnection?
  private var last: Int64?
  private var nextTry = ContinuousClock.now

  init(_ address: PostgresAddress, site: Int64) {
    self.address = address
    self.site = site
  }

  /// Whether the number has changed, or cannot be read.
  func hasNews() -> Bool {
    guard ContinuousClock.now >= nextTry else { return false }
    do {
      let open = try connection ?? PostgresConnection(address)
      connection = open
      let change = try open.run("SELECT change FROM station.stores WHERE site = ?1", [.integer(site)]).integer(0, 0)
      defer { last = change }
      return change != last
    } catch {
      connection = nil
      last = nil
      nextTry = .now + .seconds(1)
      return true
    }
  }
}

/// The tables of a database on a server, in their own schema.
package struct PostgresSchema: Sendable {
  /// What the tables hold.
  let contents: DatabaseContents

  /// The version of the tables; the program refuses later versions.
  let version: Int64

  /// The statements that make the tables.
  let tables: String

  private var name: String { contents.schema }

  /// Counts the tables of versions; querying a missing table would abort the transaction.
  var existence: String {
    "SELECT count(*) FROM information_schema.tables WHERE table_schema = '\(name)' AND table_name = 'versions'"
  }

  /// Returns the version of the tables that are there.
  var currentVersion: String { "SELECT max(version) FROM \(name).versions" }

  /// Names the schema for statements that name tables only.
  var path: String { "SET search_path TO \(name)" }

  /// The statements that make a database.
  var statements: String {
    """
    CREATE SCHEMA IF NOT EXISTS \(name);
    CREATE TABLE \(name).versions (version bigint NOT NULL PRIMARY KEY);
    \(tables);
    INSERT INTO \(name).versions VALUES (\(version));
    """
  }

  /// The tables of a store.
  static let samples = PostgresSchema(
    contents: .samples, version: Int64(StoreTables.version),
    tables: StoreTables.statements(integer: "bigint", real: "double precision", uuid: "uuid", bytes: "bytea"))

  /// The tables of a participants' list.
  package static let participants = PostgresSchema(
    contents: .participants, version: Int64(ListTables.version), tables: ListTables.statements)
}
