import Quantities

extension SampleStore {
  /// Removes a person's samples so that nothing but their number is left; for the operator only.
  ///
  /// Tombstones remain, so that programs that follow the store learn which samples they have to delete; they do not say
  /// when those were. In a file, nothing of what was removed is left.
  ///
  /// - Parameters:
  ///   - predicates: the samples; those that any of them selects.
  ///   - person: the code under which characteristics are removed; `nil` to keep them.
  ///   - receipts: the names under which samples were saved, to be forgotten.
  /// - Returns: how many samples were removed.
  /// - Throws: ``StoreError``; after one while the file is wiped, the call has to be repeated.
  package func withdraw(
    matching predicates: [SamplePredicate], person: String?, forgetting receipts: Set<String>
  ) async throws -> Int {
    try requireOperator()
    return try await core.withdraw(predicates, person: person, forgetting: receipts)
  }

  /// How many samples any of the predicates select.
  package func count(matching predicates: [SamplePredicate]) async throws -> Int {
    try requireOperator()
    return try await core.count(predicates)
  }
}

extension StoreCore {
  func withdraw(_ predicates: [SamplePredicate], person: String?, forgetting receipts: Set<String>) throws -> Int {
    let count = try writing {
      let rows = try rows(matching: predicates)
      for row in rows { try remove(row, isErased: true) }
      for receipt in receipts.sorted() { try engine.removeReceipt(receipt) }
      if let person {
        for name in try engine.characteristics(person).keys.sorted() { try engine.set(name, of: person, to: nil) }
      }
      return rows.count
    }
    do { try engine.wipe() } catch { throw StoreError.translate(error) }
    return count
  }

  func count(_ predicates: [SamplePredicate]) throws -> Int { try reading { try rows(matching: predicates).count } }

  /// The rows of all types that any of the predicates select, each once.
  private func rows(matching predicates: [SamplePredicate]) throws -> [SampleRow] {
    try registry.refresh(.type, engine)
    let types = registry.types.values.map(SampleType.quantity) + [.heartbeatSeries]
    var found: [UUID: SampleRow] = [:]
    for type in types {
      for predicate in predicates {
        try each(query(type, predicate, ownedBy: nil)) { row, _ in
          found[row.uuid] = row
          return true
        }
      }
    }
    return found.values.sorted { $0.uuid < $1.uuid }
  }
}
