import Bundles
import Quantities
package import SampleStore

extension SampleStore {
  /// The identifiers of trials from what the user typed: a whole identifier, or the unique beginning of one.
  ///
  /// A client that may not list the store's trials has to give whole identifiers.
  ///
  /// - Throws: `TrialNameError` if the beginning matches several trials, with their names, or none.
  package func trials(called names: [String]) async throws -> [String] {
    guard names.contains(where: { UUID($0) == nil }) else { return names.map { $0.lowercased() } }
    let known = client == nil ? try await receipts().compactMap(StoreIngest.trial).sorted() : []
    return try names.map { name throws(TrialNameError) in
      let name = name.lowercased()
      if UUID(name) != nil || known.contains(name) { return name }
      let found = name.isEmpty ? [] : known.filter { $0.hasPrefix(name) }
      guard found.count <= 1 else { throw .ambiguous(name, found, place: "the store") }
      guard let only = found.first else { throw .notStored(name) }
      return only
    }
  }
}
