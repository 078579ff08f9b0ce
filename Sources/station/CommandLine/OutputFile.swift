import Basics
import Bundles

/// A file that a picture or a page is written to: a new one, whole or not at all, and never inside of a bundle.
struct OutputFile: Sendable {
  /// Its path, as it was given.
  let path: String

  /// Finds out whether the file can be made, before anything is read.
  ///
  /// - Throws: ``Failure`` with what is in the way and what to do.
  init(_ path: String) throws(Failure) {
    let shown = path.visible
    guard !path.hasSuffix("/"), !Folder.isFolder(path) else {
      throw Failure("“\(shown)” names a folder; name a file in it")
    }
    guard !Folder.exists(path) else { throw Self.taken(path) }
    let folder = Folder.parent(of: path)
    guard Folder.isFolder(folder) else {
      throw Failure("cannot write “\(shown)”: there is no folder “\(folder.visible)”; make it first")
    }
    // What holds a file more than its manifest lists is no longer whole.
    if let closed = ResultsPath.closedFolder(around: folder) {
      throw Failure("“\(shown)” would lie in “\(closed.visible)”, which nothing may be added to; choose another folder")
    }
    self.path = path
  }

  /// Makes the file.
  ///
  /// - Throws: ``Failure`` where somebody else was quicker, or the disk is full; nothing is left behind.
  func write(_ bytes: [UInt8]) throws(Failure) {
    do throws(FileError) {
      try File.createWhole(path, bytes)
    } catch {
      throw error.isTaken ? Self.taken(path) : Failure("\(error)")
    }
  }

  private static func taken(_ path: String) -> Failure {
    Failure(
      "“\(path.visible)” is there already, and nothing is overwritten; remove it, or name another file")
  }
}
