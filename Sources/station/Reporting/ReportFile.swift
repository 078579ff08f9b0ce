import Bundles
import Files

/// A file that a report is written to: a new one, and never inside of a bundle.
enum ReportFile {
  /// Finds out whether the file can be made.
  ///
  /// - Throws: `Failure` with what is in the way and what to do.
  static func check(_ path: String) throws(Failure) {
    guard !Folder.exists(path) else {
      throw Failure(
        "“\(path)” is there already, and nothing is overwritten; remove it, or name another file with --output or --pdf"
      )
    }
    var folder = Folder.parent(of: path)
    guard Folder.isFolder(folder) else {
      throw Failure("cannot write “\(path)”: there is no folder “\(folder)”; make it first")
    }
    // A bundle that holds a file more than its manifest lists is no longer whole.
    for _ in 0..<4 {
      guard !Folder.exists("\(folder)/bagit.txt") else {
        throw Failure(
          "“\(path)” would lie in the bundle “\(folder)”, which nothing may be added to; choose another folder")
      }
      folder += "/.."
    }
  }

  /// Makes the file, and says where it is.
  static func write(_ bytes: [UInt8], to path: String) throws {
    do {
      try File.create(path, bytes)
    } catch {
      // Half a page is none.
      if !error.isTaken { try? Folder.removeFile(path) }
      throw error
    }
    Console.standard.line("report: \(path)")
  }
}
