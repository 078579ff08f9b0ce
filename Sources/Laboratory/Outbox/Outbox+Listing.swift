package import Basics
import SampleStore

/// Which rows of the outbox are meant.
package struct OutboxSelection: Hashable, Sendable {
  /// Those for this address; `nil` for all.
  package var address: String?
  /// Those in this form; `nil` for all.
  package var form: String?
  /// Those of these trials; `nil` for all.
  package var trials: Set<String>?
  /// Those in these states.
  var states: Set<OutboxItem.State>

  package init(address: String? = nil, trials: Set<String>? = nil, states: Set<OutboxItem.State>) {
    (self.address, self.trials, self.states) = (address, trials, states)
  }

  fileprivate var condition: String {
    let states = states.map { String($0.rawValue) }.sorted().joined(separator: ", ")
    // A trial's row is found by its key; without trials, one pass finds all.
    return "state IN (\(states))" + (address == nil ? "" : " AND destination = ?1")
      + (trials == nil ? "" : " AND trial = ?2")
      + (form == nil ? "" : " AND form = ?3")
  }
}

extension Outbox {
  /// How many bundles each destination has, by address.
  package func counts() throws -> [OutboxCount] {
    try reading { connection in
      let statement = try connection.prepare(
        """
        SELECT o.destination, o.form, sum(state = 0), sum(state = 1), sum(state = 2), h.failures, h.until, h.requested
        FROM outbox AS o LEFT JOIN outbox_holds AS h ON h.destination = o.destination AND h.form = o.form
        GROUP BY o.destination, o.form ORDER BY o.destination, o.form
        """)
      defer { statement.reset() }
      var counts: [OutboxCount] = []
      while try statement.step() {
        let hold = OutboxHold(
          failures: Int(statement.integer(5)), until: WallTime(microseconds: statement.integer(6)),
          isRequested: statement.integer(7) != 0)
        counts.append(
          OutboxCount(
            destination: OutboxDestination(address: statement.text(0) ?? "", form: statement.text(1) ?? ""),
            waiting: Int(statement.integer(2)), parked: Int(statement.integer(3)), sent: Int(statement.integer(4)),
            hold: statement.isNull(6) ? nil : hold))
      }
      return counts
    }
  }

  /// The trials whose identifiers begin with a text, at most ten.
  package func trials(beginningWith text: String) throws -> [String] {
    try reading { connection in
      let statement = try connection.prepare(
        "SELECT DISTINCT trial FROM outbox WHERE substr(trial, 1, length(?1)) = ?1 ORDER BY trial LIMIT 10")
      defer { statement.reset() }
      try statement.bind(1, text)
      var trials: [String] = []
      while try statement.step() { trials.append(statement.text(0) ?? "") }
      return trials
    }
  }

  /// Calls a function with each selected row, by destination and trial, until it returns `false`.
  package func forEach(_ selection: OutboxSelection, _ body: (OutboxItem) -> Bool) throws {
    try reading { connection in
      try connection.forEachTrial(
        of: selection,
        "SELECT \(OutboxTables.columns) FROM outbox WHERE \(selection.condition) ORDER BY destination, form, trial"
      ) { statement in
        while try statement.step() {
          if !body(statement.outboxItem) { return false }
        }
        return true
      }
    }
  }

  /// Lets the selected bundles be sent again, now.
  ///
  /// - Parameters:
  ///   - selection: which ones.
  ///   - now: the time.
  /// - Returns: how many there were.
  /// - Throws: the errors of every call.
  package func retry(_ selection: OutboxSelection, at now: WallTime) throws -> Int {
    try writing { connection in
      let count = try connection.change(
        selection, "UPDATE outbox SET state = 0, due = \(now.microseconds), confirmation = NULL, receipt = NULL")
      let holds = try connection.prepare("DELETE FROM outbox_holds WHERE ?1 IS NULL OR destination = ?1")
      try holds.bind(1, selection.address)
      try holds.run()
      return count
    }
  }

  /// Removes the selected rows; bundles and what was sent remain.
  ///
  /// - Returns: how many there were.
  package func forget(_ selection: OutboxSelection) throws -> Int {
    try writing { connection in try connection.change(selection, "DELETE FROM outbox") }
  }
}

extension SQLiteConnection {
  /// Runs a statement for each selected trial, or once for all, until `body` returns `false`.
  fileprivate func forEachTrial(
    of selection: OutboxSelection, _ sql: String, _ body: (SQLiteStatement) throws -> Bool
  ) throws {
    let statement = try prepare(sql)
    defer { statement.reset() }
    for trial in selection.trials?.sorted().map(Optional.some) ?? [nil] {
      statement.reset()
      if let address = selection.address { try statement.bind(1, address) }
      if let trial { try statement.bind(2, trial) }
      if let form = selection.form { try statement.bind(3, form) }
      if try !body(statement) { return }
    }
  }

  fileprivate func change(_ selection: OutboxSelection, _ action: String) throws -> Int {
    var count = 0
    try forEachTrial(of: selection, "\(action) WHERE \(selection.condition)") { statement in
      try statement.run()
      count += database.changes
      return true
    }
    return count
  }
}
