import Quantities

/// Stores rows in a database.
///
/// The layer above gives rows their meaning. Every key begins with the site and the caller creates every identifier, so
/// that a server can distribute the tables. Calls block and come from one executor; calls that change the store come
/// inside `write(_:)`.
final class StoreEngine {
  let driver: any SQLDriver
  let site: Int64

  /// Enters a site into a database, if it is new.
  ///
  /// - Throws: ``StoreError`` if the site cannot be distinguished from another one, and the driver's errors.
  init(_ driver: any SQLDriver, site name: String, identity: UUID) throws {
    self.driver = driver
    site = Name.number(of: name)
    // If the site is known, there is no need to wait for a writer.
    if try read({ try hasEntered(name) }) { return }
    try write {
      // Another process may have entered it in the meantime.
      if try hasEntered(name) { return }
      try driver.run(
        "INSERT INTO stores VALUES (?1, ?2, ?3, 0) ON CONFLICT DO NOTHING",
        [.integer(site), .text(name), .uuid(identity)])
    }
  }

  private func hasEntered(_ name: String) throws -> Bool {
    let known = try driver.first("SELECT name FROM stores WHERE site = ?1", [.integer(site)]) { $0.word(0) }
    guard known == nil || known == name else {
      throw StoreError(
        .invalidArgument, "the site “\(name)” cannot be distinguished from “\(known ?? "")”; rename one of them")
    }
    return known != nil
  }

  /// Runs `body` on a consistent snapshot of the store; again after a conflict, as long as `mayRepeat` returns true.
  func read<Result>(mayRepeat: () -> Bool = { true }, _ body: () throws -> Result) throws -> Result {
    try driver.read(mayRepeat: mayRepeat, body)
  }

  /// Runs `body` in a transaction; again after a conflict with another writer.
  func write<Result>(_ body: () throws -> Result) throws -> Result {
    let result = try driver.write {
      // This locks the site's row: a second writer of the site waits, gets a conflict, since its snapshot may be out of
      // date, and starts again.
      if driver.hasParallelWriters {
        try driver.run("UPDATE stores SET change = change WHERE site = ?1", [.integer(site)])
      }
      return try body()
    }
    driver.notify()
    return result
  }

  /// Removes from the disk what was deleted, as far as that is this program's to do; outside of transactions.
  func wipe() throws { try driver.wipe() }

  /// Creates a watch that reports possible changes of the store by any process.
  func makeWatch() -> any StoreWatch { driver.makeWatch(site: site) }

  /// Identifies this store, also against one that is later rebuilt at the same path.
  func identity() throws -> UUID {
    try driver.first("SELECT identity FROM stores WHERE site = ?1", [.integer(site)]) { $0.uuid(0) }
      ?? UUID(high: 0, low: 0)
  }

  /// The number that a statement returns for this site and the values; 0 for no row.
  func number(_ sql: String, _ values: SQLValue...) throws -> Int64 {
    try driver.first(sql, [.integer(site)] + values) { $0.integer(0) } ?? 0
  }
}
