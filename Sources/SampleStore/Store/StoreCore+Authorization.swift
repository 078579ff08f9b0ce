import Basics
import Quantities

extension StoreCore {
  /// Writes on behalf of a client, which needs share permission for all of these types; the operator always has it.
  ///
  /// The permission is checked within the writing transaction, so that nothing is written after it has been revoked.
  /// Refusals raise HealthKit's errors and are recorded in the audit.
  ///
  /// - Parameters:
  ///   - client: the writing client; `nil` for the operator.
  ///   - action: the kind of access, for the audit.
  ///   - types: determines the types that are written.
  ///   - body: writes.
  /// - Returns: what `body` returns.
  /// - Throws: ``StoreError`` without permission, and what `types` and `body` throw.
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

  /// Aborts the transaction with the types that the client may not share.
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

  /// Reads a type on behalf of a client.
  ///
  /// Without read permission a client sees only its own samples; the operator sees everything.
  ///
  /// - Parameters:
  ///   - client: the reading client; `nil` for the operator.
  ///   - type: the type of the samples.
  ///   - mayRepeat: whether `body` may run again.
  ///   - body: reads; its argument is the client if only that client's samples are visible.
  /// - Returns: what `body` returns.
  /// - Throws: ``StoreError`` if the operator has not decided yet, and what `body` throws.
  func reading<Result>(
    as client: String?, _ type: SampleType, mayRepeat: () -> Bool = { true },
    _ body: (_ owner: String?) throws -> Result
  ) throws -> Result {
    guard let client else { return try reading(mayRepeat: mayRepeat) { try body(nil) } }
    while true {
      let status = try requireLeave(toRead: type, client)
      // The permission was revoked after it had been recorded in the audit: check it again.
      let result: Result? = try reading(mayRepeat: mayRepeat) {
        guard try grant(client, type).read == status else { return nil }
        return try body(status == .sharingAuthorized ? nil : client)
      }
      if let result { return result }
    }
  }

  /// Looks up a client's read permission for a type, and records the access in the audit.
  ///
  /// - Throws: HealthKit's error if the operator has not decided yet.
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

  /// The permissions of a client for a type.
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

  /// Records a client's access in the audit; the operator's own accesses are not recorded.
  func audit(
    _ client: String?, _ action: AuditEntry.Action, _ types: Set<SampleType>, _ outcome: AuditEntry.Outcome
  ) throws {
    guard let client else { return }
    for type in types {
      // A request does not define the type; the audit still needs its name.
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
