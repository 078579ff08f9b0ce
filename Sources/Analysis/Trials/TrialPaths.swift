import Basics
import Bundles
package import Recordings

/// The trials that a path names: a bundle, a results folder, a folder of bundles, or another file.
package enum TrialPaths: Sendable {
  /// Whether a path is a folder that is no bundle, nor what is left of one.
  package static func isMany(_ path: String) -> Bool {
    switch ResultsPath(path) {
    case .results, .folderOfBundles, .folder: true
    case .bundle, .file, .nothing: false
    }
  }

  /// The paths of the trials and files of an operand, in the order of the names within a folder.
  ///
  /// What is left of a bundle is among them, so that its reader reports what is missing.
  ///
  /// - Throws: `RecordingError` for what cannot be listed, or holds no bundles.
  package static func expand(_ operand: String) throws(RecordingError) -> [String] {
    do throws(FileError) {
      switch ResultsPath(operand) {
      case .bundle, .file, .nothing: return [operand]
      case .results:
        let results = ResultsFolder(operand)
        return try results.trials().map { results.bundlePath(named: $0) }
      case .folderOfBundles: return try Folder.names(in: operand).map { "\(operand)/\($0)" }.filter(isBundle)
      case .folder: break
      }
      // A folder that cannot be listed holds nothing as far as may be seen.
      _ = try Folder.names(in: operand)
    } catch {
      throw .unreadable(path: operand, reason: "\(error)")
    }
    throw .noTrials(path: operand)
  }

  private static func isBundle(_ path: String) -> Bool { ResultsPath(path) == .bundle }

  /// The bundles, and what is left of some, that lie beside those of the paths and are none of them, so that the order of all
  /// is known.
  ///
  /// What cannot be listed has none.
  static func neighbours(of paths: [String]) -> [String] {
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
