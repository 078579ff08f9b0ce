import Glibc

/// A file under a temporary name beside its own, `.NAME.DIGITS.part`, which is locked while it is written.
///
/// An unlocked one was left by a process that was killed.
package enum PartFile: Sendable {
  /// Creates one.
  ///
  /// - Throws: ``FileError`` of the file's own name.
  package static func create(beside path: String, isPrivate: Bool = false) throws(FileError) -> File {
    while true {
      let name = ".\(Folder.name(of: path)).\(UInt64.random(in: .min ... .max)).part"
      let part = Folder.path(name, from: Folder.parent(of: path))
      do throws(FileError) {
        let file = try File(part, .create, isPrivate: isPrivate)
        // Some network file systems have no locks: there nothing that was left is removed.
        guard let isLocked = try? file.lock() else { return file }
        // Before it was locked, another process may have taken it for one that was left.
        if isLocked, file.isAt(part) { return file }
      } catch {
        throw FileError(error.action, path, code: error.code)
      }
    }
  }

  /// The name of the file that a temporary name is for; `nil` for any other name.
  static func target(of name: String) -> Substring? {
    guard name.hasPrefix("."), name.hasSuffix(".part") else { return nil }
    let whole = name.dropFirst().dropLast(".part".count)
    guard let dot = whole.lastIndex(of: "."), dot > whole.startIndex else { return nil }
    let digits = whole[whole.index(after: dot)...]
    return !digits.isEmpty && digits.allSatisfy { $0.isASCII && $0.isNumber } ? whole[..<dot] : nil
  }
}

extension Folder {
  /// Removes what killed processes left in a folder of files that they were writing; those that are being written remain.
  ///
  /// - Parameters:
  ///   - folder: the folder.
  ///   - name: the name of the file that was written; `nil` for all.
  package static func removeAbandonedParts(in folder: String, of name: String? = nil) {
    for part in (try? names(in: folder)) ?? [] {
      guard let target = PartFile.target(of: part), name == nil || target == name ?? "",
        let file = try? File("\(folder)/\(part)", .read, isRegular: true), (try? file.lock()) == true
      else { continue }
      try? removeFile("\(folder)/\(part)")
      file.unlock()
    }
  }
}
