import Basics

/// What lies at a path, as far as finished trials are concerned.
package enum ResultsPath: Hashable, Sendable {
  /// A trial's bundle, or what is left of one.
  case bundle
  /// A folder whose folder `bundles` holds trials.
  case results
  /// A folder of bundles: `bundles` itself, or one with copies of them.
  case folderOfBundles
  /// A folder with none of these.
  case folder
  /// A file, or something else that is no folder.
  case file
  /// Nothing, as far as may be seen.
  case nothing

  /// Looks at a path; of a folder's contents the names alone are read.
  package init(_ path: String) {
    if Self.isBundle(path) {
      self = .bundle
    } else if ResultsFolder(path).isThere {
      self = .results
    } else if Folder.isFolder(path) {
      self = Self.holdsBundles(path) ? .folderOfBundles : .folder
    } else {
      self = Folder.exists(path) ? .file : .nothing
    }
  }

  /// The folder around a place to which no file may be added, since a bundle would no longer be whole or a results folder no
  /// longer hold bundles alone.
  ///
  /// - Parameter folder: the folder of the file; it is there.
  /// - Returns: the outermost bundle that it lies in, or the folder itself where that holds a results folder's bundles; `nil`
  ///   where a file may be made.
  package static func closedFolder(around folder: String) -> String? {
    guard let path = Folder.realPath(folder) else { return nil }
    var above = ""
    for name in path.split(separator: "/") {
      above += "/\(name)"
      if isBundle(above) { return above }
    }
    let isOfResults = Folder.name(of: path) == "bundles" && ResultsFolder(Folder.parent(of: path)).isThere
    return isOfResults && holdsBundles(path) ? path : nil
  }

  private static func isBundle(_ path: String) -> Bool {
    [Bag.declarationFile, BundleFile.result].contains { Folder.exists("\(path)/\($0)") }
  }

  private static func holdsBundles(_ folder: String) -> Bool {
    ((try? Folder.names(in: folder)) ?? []).contains { isBundle("\(folder)/\($0)") }
  }
}
