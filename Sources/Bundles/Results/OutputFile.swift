import Basics

/// A new file for a picture or a page: written completely or not at all, and never inside a bundle.
package struct OutputFile: Sendable {
  package let path: String

  /// Checks that the file can be created, before anything is read.
  package init(_ path: String) throws(OutputFileError) {
    guard !path.hasSuffix("/"), !Folder.isFolder(path) else { throw .isFolder(path) }
    guard !Folder.exists(path) else { throw .exists(path) }
    let folder = Folder.parent(of: path)
    guard Folder.isFolder(folder) else { throw .noFolder(path, folder: folder) }
    // A bundle with a file that its manifest does not list is no longer valid.
    if let closed = ResultsPath.closedFolder(around: folder) { throw .closed(path, folder: closed) }
    self.path = path
  }

  /// Creates the file; if that fails, no partial file is left.
  package func write(_ bytes: [UInt8]) throws { _ = try write { part in try part.write(bytes) } }

  /// Creates the file, on disk when this returns; if that fails, no partial file is left.
  ///
  /// - Parameter fill: writes its content into a file under a temporary name.
  /// - Returns: its size in bytes.
  /// - Throws: ``OutputFileError`` for a name that was taken meanwhile, `FileError`, and what `fill` throws.
  func write(_ fill: (borrowing File) throws -> Void) throws -> Int {
    let folder = Folder.parent(of: path)
    Folder.removeAbandonedParts(in: folder, of: Folder.name(of: path))
    let part = try PartFile.create(beside: path)
    UnfinishedFiles.add(part.path)
    defer { UnfinishedFiles.remove(part.path) }
    do {
      try fill(part)
      try part.synchronize()
      let size = try part.size()
      try Folder.rename(part.path, to: path)
      try Folder.synchronize(folder)
      return size
    } catch {
      try? Folder.removeFile(part.path)
      guard let error = error as? FileError else { throw error }
      if error.isTaken { throw OutputFileError.exists(path) }
      throw error.path == part.path ? FileError(error.action, path, code: error.code) : error
    }
  }
}

/// The error for a file that cannot be created.
package enum OutputFileError: Error, Hashable, CustomStringConvertible {
  case isFolder(String)
  case exists(String)
  /// There is no such folder.
  case noFolder(String, folder: String)
  /// It would lie in a bundle, or among bundles.
  case closed(String, folder: String)

  /// Why the file cannot be created, and what to do.
  package var description: String {
    switch self {
    case .isFolder(let path): "cannot write “\(path.visible)”: it is a folder; name a file in it"
    case .exists(let path):
      "“\(path.visible)” already exists and is not overwritten; remove it, or name another file"
    case .noFolder(let path, let folder):
      "cannot write “\(path.visible)”: there is no folder “\(folder.visible)”; create it first"
    case .closed(let path, let folder):
      "cannot write “\(path.visible)”: no file may be added to “\(folder.visible)”; choose another folder"
    }
  }
}
