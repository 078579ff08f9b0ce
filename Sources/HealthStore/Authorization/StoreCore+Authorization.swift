import Basics
import Quantities

extension StoreCore {
  /// Writes as a client that needs leave to share all of these types; the operator always may.
  ///
  /// Leave is looked up in the transaction that writes, so that nothing is written after it was taken away. A refusal, with
  /// HealthKit's errors, is kept in the audit.
  ///
  /// - Parameters:
  ///   - client: who writes.
  ///   - action: what it does.
  ///   - types: finds out which types it is about.
  ///   - body: writes.
  /// - Returns: what `body` returns.
  /// - Throws: ``StoreError`` without leave, and what `types` and `body` throw.
  func writing<Result>(
    as client: String?, _ action: AuditEntry.Action, _ types: () throws -> Set<SampleType>, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try writing {
        let types = try types()
        let refused = try refusals(client, types)
        guard refused.isEmpty else { throw Refusal(types: refused) }
        let result = try body()
        try audit(client, action, types, .allowed)
        return result
      }
    } catch let refusal as Refusal {
      try writing {
        for (type, outcome) in refusal.types { try audit(client, action, [type], outcome) }
      }
      throw refusal.types.first?.outcome == .notDetermined ? StoreError.notDetermined : .denied
    }
  }

  /// The types that a client may not share.
  private struct Refusal: Error {
    let types: [(type: SampleType, outcome: AuditEntry.Outcome)]
  }

  private func refusals(
    _ client: String?, _ types: Set<SampleType>
  ) throws -> [(type: SampleType, outcome: AuditEntry.Outcome)] {
    guard let client else { return [] }
    return try types.sorted { $0.description < $1.description }.compactMap { type in
      switch try grant(client, type).share {
      case .sharingAuthorized: nil
      case .sharingDenied: (type, .denied)
      case .notDetermined: (type, .notDetermined)
      }
    }
  }

  /// Reads a type as a client, which sees only what it wrote itself unless it was allowed more; the operator sees everything.
  ///
  /// - Parameters:
  ///   - client: who reads.
  ///   - type: what.
  ///   - mayRepeat: whether `body` may run again.
  ///   - body: reads, given the client when it sees only what it wrote itself.
  /// - Returns: what `body` returns.
  /// - Throws: ``StoreError`` where no decision has been made, and what `body` throws.
  func reading<Result>(
    as client: String?, _ type: SampleType, mayRepeat: () -> Bool = { true },
    _ body: (_ owner: String?) throws -> Result
  ) throws -> Result {
    guard let client else { return try reading(mayRepeat: mayRepeat) { try body(nil) } }
    while true {
      let status = try requireLeave(toRead: type, client)
      // Leave that was taken away after it was put down in the audit is asked for again.
      let result: Result? = try reading(mayRepeat: mayRepeat) {
        guard try grant(client, type).read == status else { return nil }
        return try body(status == .sharingAuthorized ? nil : client)
      }
      if let result { return result }
    }
  }

  /// Looks up how a client may read a type, and puts it down in the audit.
  ///
  /// - Throws: HealthKit's error where no decision has been made.
  func requireLeave(toRead type: SampleType, _ client: String) throws -> AuthorizationStatus {
    let status = try reading { try grant(client, type).read }
    let outcome: AuditEntry.Outcome =
      switch status {
      case .sharingAuthorized: .allowed
      case .sharingDenied: .denied
      case .notDetermined: .notDetermined
      }
    try writing { try audit(client, .read, [type], outcome) }
    if outcome == .notDetermined { throw StoreError.notDetermined }
    return status
  }

  /// What was decided about a client and a type.
  func grant(_ client: String, _ type: SampleType) throws -> Authorization {
    guard let grant = try engine.grants(client)[type.number] else { return Authorization() }
    return Authorization(
      share: AuthorizationStatus(rawValue: grant.share) ?? .notDetermined,
      read: AuthorizationStatus(rawValue: grant.read) ?? .notDetermined)
  }

  func authorizations() throws -> [String: [SampleType: Authorization]] {
    try reading {
      var found: [String: [SampleType: Authorization]] = [:]
      for (client, number, _) in try engine.grants() {
        let type = try type(number)
        found[client, default: [:]][type] = try grant(client, type)
      }
      return found
    }
  }

  func authorization(_ client: String, _ type: SampleType) throws -> Authorization {
    try reading { try grant(client, type) }
  }

  func authorize(_ client: String, _ type: SampleType, _ authorization: Authorization) throws {
    try SampleRules.check(client, "the client's identifier")
    try writing {
      if case .quantity(let quantity) = type { _ = try registry.number(of: quantity, engine) }
      let grant = Grant(share: authorization.share.rawValue, read: authorization.read.rawValue)
      try engine.set(grant, client, type.number)
    }
  }

  /// Writes into the audit what a client did; the operator's own work is not watched.
  func audit(
    _ client: String?, _ action: AuditEntry.Action, _ types: Set<SampleType>, _ outcome: AuditEntry.Outcome
  ) throws {
    guard let client else { return }
    try registry.makeSecret(engine)
    for type in types {
      // Asking for a type does not define it; what it asked for is still known by name.
      if case .quantity(let quantity) = type { try registry.remember(asked: quantity, engine) }
      try engine.add(
        AuditRow(
          uuid: makeUUID(), time: now().microseconds, client: client, action: action.rawValue, type: type.number,
          outcome: outcome.rawValue))
    }
  }

  func audit() throws -> [AuditEntry] {
    try reading {
      try registry.refresh(.type, engine)
      let asked = try engine.names(.askedType).filter { registry.types[$0.key] == nil }
      var entries: [AuditEntry] = []
      try engine.audit { row in
        guard let action = AuditEntry.Action(rawValue: row.action),
          let outcome = AuditEntry.Outcome(rawValue: row.outcome)
        else {
          throw StoreError(.databaseInaccessible, "the audit holds “\(row.action)”, which this station never wrote")
        }
        entries.append(
          AuditEntry(
            time: WallTime(microseconds: row.time), client: row.client, action: action,
            type: try asked[row.type].map { .quantity(try Name.type($0)) } ?? type(row.type), outcome: outcome))
        return true
      }
      return entries
    }
  }
}
