package import Basics
import Quantities

/// The finished trials of a results folder, a row each, for everything that lists many of them.
///
/// The rows are kept in a file beside the bundles, so that not every bundle is read. The file is made again where it is
/// missing or damaged, and never believed against the bundles: a row counts while the bundle's result has the stamp that it
/// had when it was read; every other bundle is read.
package struct BundleIndex: Sendable {
  /// The trials, in the order of the folders' names: the oldest first.
  package let trials: [IndexedTrial]

  /// Why other folders cannot be read as bundles.
  package let problems: [BundleError]

  /// The results folder.
  package let results: ResultsFolder

  /// Reads the index of a results folder, and the bundles of which it has no row; its file has the rows of all afterwards,
  /// where it can be written.
  ///
  /// - Throws: `FileError` when the folder of bundles cannot be read.
  package init(_ results: ResultsFolder, now: WallTime = .now) async throws(FileError) {
    let (known, isWhole) = results.indexedTrials()
    try await self.init(results, known: known, isWhole: isWhole, now)
  }

  /// The index as the bundles are now: of those that did not change, no more than a stamp is looked at.
  ///
  /// - Throws: `FileError` when the folder of bundles cannot be read.
  package func refreshed(now: WallTime = .now) async throws(FileError) -> BundleIndex {
    try await BundleIndex(results, known: trials, isWhole: true, now)
  }

  private init(
    _ results: ResultsFolder, known rows: [IndexedTrial], isWhole: Bool, _ now: WallTime
  ) async throws(FileError) {
    let names = try results.trials()
    let known = rows.count { $0.stamp != nil }
    var rows = rows
    // Both are in the order of the names.
    var missing: [String] = []
    var next = names.startIndex
    rows.removeAll { row in
      while next < names.endIndex, names[next].precedes(row.name) {
        missing.append(names[next])
        next += 1
      }
      guard next < names.endIndex, !row.name.precedes(names[next]) else { return true }
      next += 1
      let isBelieved =
        row.stamp != nil && IndexedTrial.stamp(ofBundle: results.bundlePath(named: row.name)) == row.stamp
      if !isBelieved { missing.append(row.name) }
      return !isBelieved
    }
    missing += names[next...]
    var (read, problems) = ([IndexedTrial](), [BundleError]())
    await Parallel.ordered(missing) { name in
      Result { () throws(BundleError) in try IndexedTrial(reading: name, in: results, now: now) }
    } take: { result in
      switch result {
      case .success(let trial): read.append(trial)
      case .failure(let problem): problems.append(problem)
      }
    }
    if !read.isEmpty { rows = Self.merged(rows, read) }
    (trials, self.problems, self.results) = (rows, problems, results)
    let isSame = isWhole && known == rows.count { $0.stamp != nil }
    if !isSame || read.contains(where: { $0.stamp != nil }) { results.writeIndex(of: rows) }
  }

  /// Two lists that are in the order of names as one.
  private static func merged(_ rows: [IndexedTrial], _ others: [IndexedTrial]) -> [IndexedTrial] {
    var all: [IndexedTrial] = []
    all.reserveCapacity(rows.count + others.count)
    var next = others.startIndex
    for row in rows {
      while next < others.endIndex, others[next].name.precedes(row.name) {
        all.append(others[next])
        next += 1
      }
      all.append(row)
    }
    return all + others[next...]
  }
}

extension BundleIndex {
  /// A page of the trials, the newest first.
  ///
  /// - Parameters:
  ///   - first: how many newer ones come before the page.
  ///   - count: the maximum number of trials on the page.
  ///   - isTaken: whether a trial is listed.
  /// - Returns: the trials of the page, and the number of trials that are listed on all pages.
  package func page(
    from first: Int, count: Int, where isTaken: (IndexedTrial) -> Bool = { _ in true }
  ) -> (trials: [IndexedTrial], total: Int) {
    var page: [IndexedTrial] = []
    var total = 0
    for trial in trials.reversed() where isTaken(trial) {
      if total >= first, page.count < count { page.append(trial) }
      total += 1
    }
    return (page, total)
  }
}
