import Basics

/// The headings of bundles: those of results folders from their indexes, so that many need not be read one by one.
package struct IndexedHeadings: Sendable {
  /// By the folder of bundles, and by the name in it.
  private var headings: [String: [String: TrialHeading]] = [:]

  /// Reads the indexes of the results folders that have any of the bundles.
  package init(of bundles: [String]) async {
    for folder in Set(bundles.map(Folder.parent)) where Folder.name(of: folder) == "bundles" {
      guard let index = try? await BundleIndex(ResultsFolder(Folder.parent(of: folder))) else { continue }
      headings[folder] = Dictionary(
        index.trials.map { ($0.name, $0.heading) }, uniquingKeysWith: { first, _ in first })
    }
  }

  /// The heading of a bundle, which is read where no index has it.
  ///
  /// - Throws: ``BundleError/unreadable(path:reason:)``.
  package func heading(of bundle: String) throws(BundleError) -> TrialHeading {
    if let heading = headings[Folder.parent(of: bundle)]?[Folder.name(of: bundle)] { return heading }
    return try TrialHeading(ofBundle: bundle)
  }
}
