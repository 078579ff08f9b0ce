import Basics
import Bundles

/// A new file for a picture or a page: written completely or not at all, and never inside a bundle.
struct OutputFile: Sendable {
  /// Its path, as it was given.
  let path: String

  /// Checks that the file can be created, before anything is read.
  ///
  /// - Throws: ``Failure`` with the reason and what to do.
  init(_ path: String) throws(Failure) {
    let shown = path.visible
    guard !path.hasSuffix("/"), !Folder.isFolder(path) else {
      throw Failure("cannot write “\(shown)”: it is a folder; name a file in it")
    }
    guard !Folder.exists(path) else { throw Self.taken(path) }
    let folder = Folder.parent(of: path)
    guard Folder.isFolder(folder) else {
      throw Failure("cannot write “\(shown)”: there is no folder “\(folder.visible)”; create it first")
    }
    // A bundle with a file that its manifest does not list is no longer valid.
    if let closed = ResultsPath.closedFolder(around: folder) {
      throw Failure("cannot write “\(shown)”: no file may be added to “\(closed.visible)”; choose another folder")
    }
    self.path = path
  }

  /// Creates the file.
  ///
  /// - Throws: ``Failure`` if the file has come to exist meanwhile, or the disk is full; no partial file is left.
  func write(_ bytes: [UInt8]) throws(Failure) {
    do throws(FileError) {
      try File.createWhole(path, bytes)
    } catch {
      throw error.isTaken ? Self.taken(path) : Failure("\(error)")
    }
  }

  private static func taken(_ path: String) -> Failure {
    Failure(
      "“\(path.visible)” already exists and is not overwritten; remove it, or name another file")
  }
}
