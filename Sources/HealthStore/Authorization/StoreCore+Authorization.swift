import Quantities

extension StoreCore {
  /// Refuses a client that may not write all of these types, with HealthKit's errors; the operator always may.
  func requireLeave(toShare types: Set<SampleType>, _ client: String?, _ action: AuditEntry.Action) throws {
    guard let client else { return }
    let refused: [(SampleType, AuditEntry.Outcome)] = try reading {
      try types.sorted { $0.description < $1.description }.compactMap { type in
        switch try grant(client, type).share {
        case .sharingAuthorized: nil
        case .sharingDenied: (type, .denied)
        case .notDetermined: (type, .notDetermined)
        }
      }
    }
    guard let first = refused.first else { return }
    try writing {
      for (type, outcome) in refused { try audit(client, action, [type], outcome) }
    }
    throw first.1 == .denied ? StoreError.denied : .notDetermined
  }

  /// Looks up how a client may read a type.
  ///
  /// - Returns: the client when it sees only what it wrote itself; `nil` for everything.
  func requireLeave(toRead type: SampleType, _ client: String?) throws -> String? {
    guard let client else { return nil }
    let status = try reading { try grant(client, type).read }
    let outcome: AuditEntry.Outcome =
      switch status {
      case .sharingAuthorized: .allowed
      case .sharingDenied: .denied
      case .notDetermined: .notDetermined
      }
    try writing { try audit(client, .read, [type], outcome) }
    if outcome == .notDetermined { throw StoreError.notDetermined }
    return outcome == .allowed ? nil : client
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
    for type in types {
      if case .quantity(let quantity) = type { _ = try registry.number(of: quantity, engine) }
      try engine.add(
        AuditRow(
          uuid: makeUUID(), time: now().microseconds, client: client, action: action.rawValue, type: type.number,
          outcome: outcome.rawValue))
    }
  }

  func audit(_ body: (AuditEntry) throws -> Bool) throws {
    try reading {
      try registry.refresh(.type, engine)
      try engine.audit { row in
        guard let action = AuditEntry.Action(rawValue: row.action),
          let outcome = AuditEntry.Outcome(rawValue: row.outcome)
        else {
          throw StoreError(.databaseInaccessible, "the audit holds “\(row.action)”, which this station never wrote")
        }
        return try body(
          AuditEntry(
            time: WallTime(microseconds: row.time), client: row.client, action: action, type: try type(row.type),
            outcome: outcome))
      }
    }
  }
}
