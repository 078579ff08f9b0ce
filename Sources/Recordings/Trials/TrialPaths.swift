internal import Bundles
internal import Files

/// The trials that a path names: a bundle, a results folder, a folder of bundles, or another file.
public enum TrialPaths: Sendable {
  /// Whether a path is a folder of bundles and not a bundle.
  public static func isMany(_ path: String) -> Bool { Folder.isFolder(path) && !isBundle(path) }

  private static func isBundle(_ path: String) -> Bool { Folder.exists("\(path)/data/result.json") }

  /// The paths of the trials and files of an operand, in the order of the names within a folder.
  ///
  /// - Throws: ``RecordingError`` for what cannot be listed, or holds no bundles.
  public static func expand(_ operand: String) throws(RecordingError) -> [String] {
    guard isMany(operand) else { return [operand] }
    do throws(FileError) {
      let results = ResultsFolder(operand)
      if results.isThere { return try results.trials().map { results.bundlePath(named: $0) } }
      let bundles = try Folder.names(in: operand).map { "\(operand)/\($0)" }.filter(isBundle)
      guard bundles.isEmpty else { return bundles }
    } catch {
      throw .unreadable(path: operand, reason: "\(error)")
    }
    throw .noTrials(path: operand)
  }

  /// The bundles that lie beside those of the paths and are none of them, so that the order of all is known.
  ///
  /// What cannot be listed has none.
  public static func neighbours(of paths: [String]) -> [String] {
    let own = Set(paths)
    var folders: [String] = []
    var known: Set<String> = []
    for path in paths where Folder.isFolder(path) {
      let name = Folder.name(of: path)
      let folder = name == "." || name == ".." ? "\(path)/.." : Folder.parent(of: path)
      if known.insert(folder).inserted { folders.append(folder) }
    }
    return folders.flatMap { folder in
      ((try? Folder.names(in: folder)) ?? []).map { folder == "." ? $0 : "\(folder)/\($0)" }
        .filter { !own.contains($0) && isBundle($0) }
    }
  }
}
