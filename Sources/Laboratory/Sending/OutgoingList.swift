package import Basics
import Bundles

/// The bundles that are to be added to an outbox, with the identifiers of their trials.
package struct OutgoingList: Sendable {
  /// The trials' identifiers, and the bundles' paths: those in the results folder relative to it.
  package let entries: [(trial: String, path: String)]

  private let results: String

  /// Lists bundles.
  ///
  /// A folder mostly has its trial's name, which saves reading its result.
  ///
  /// - Parameters:
  ///   - paths: the bundles; none for all of the results folder.
  ///   - results: the results folder.
  /// - Throws: `BundleError` for what is no bundle, and `FileError`.
  package init(_ paths: [String], results: String) throws {
    self.results = results
    let folder = ResultsFolder(results)
    guard !paths.isEmpty else {
      entries = try folder.trials().map { name in
        (
          TrialIdentifier(name) == nil ? try Bundle(folder.bundlePath(named: name)).record.trial : name,
          "bundles/\(name)"
        )
      }
      return
    }
    let home = Folder.realPath(results).map { "\($0)/" }
    entries = try paths.map { path in
      let real = Folder.realPath(path) ?? path
      let inside = home.flatMap { real.hasPrefix($0) ? String(real.dropFirst($0.count)) : nil }
      return (try Bundle(path).record.trial, inside ?? real)
    }
  }

  /// Adds the bundles to an outbox, without those that were withdrawn since they were listed.
  ///
  /// - Returns: how many are new there.
  /// - Throws: the outbox's errors.
  package func add(to outbox: Outbox, for destination: OutboxDestination, at now: WallTime) async throws -> Int {
    let added = try await outbox.add(entries, for: destination, at: now)
    // A withdrawal removes a bundle before it looks into the outbox for the last time.
    let gone = entries.filter { !Folder.exists(Folder.path($0.path, from: results)) }.map(\.trial)
    guard !gone.isEmpty else { return added }
    return added - (try await outbox.forget(OutboxSelection(trials: Set(gone), states: Set(OutboxItem.State.allCases))))
  }
}
