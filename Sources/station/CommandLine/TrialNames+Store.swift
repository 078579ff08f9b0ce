import Basics
import Exchange
import HealthStore
import Quantities

extension TrialNames {
  /// The identifiers of trials from what the user typed: a whole identifier, or the unique beginning of one.
  ///
  /// - Parameters:
  ///   - names: what the user typed.
  ///   - store: the store to search; a client that may not list its trials has to give whole identifiers.
  /// - Returns: an identifier for each.
  /// - Throws: ``Failure`` if the beginning matches several trials, with their names, or none.
  static func identifiers(_ names: [String], in store: SampleStore) async throws -> [String] {
    guard names.contains(where: { UUID($0) == nil }) else { return names.map { $0.lowercased() } }
    let known = store.client == nil ? try await store.receipts().compactMap(StoreIngest.trial).sorted() : []
    return try names.map { name throws(Failure) in
      let name = name.lowercased()
      if UUID(name) != nil || known.contains(name) { return name }
      let found = name.isEmpty ? [] : known.filter { $0.hasPrefix(name) }
      guard found.count <= 1 else { throw ambiguous(name, found, in: "the store") }
      guard let only = found.first else {
        throw Failure(
          "the store has no samples of a trial “\(name.visible)”; “station list” shows the trials of a results folder"
        )
      }
      return only
    }
  }
}
