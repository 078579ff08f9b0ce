import CSystem
import Glibc

/// What is done with whole files and folders by path.
package enum Folder: Sendable {
  /// Makes a folder that must not exist.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - isPrivate: whether its owner alone may look into it.
  /// - Throws: ``FileError``.
  package static func create(_ path: String, isPrivate: Bool = false) throws(FileError) {
    try FileError.checkName("create the folder", path)
    guard unsafe mkdir(path, isPrivate ? 0o700 : 0o755) == 0 else { throw FileError.last("create the folder", path) }
  }

  /// Makes a folder and those above it, where they are missing.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - isPrivate: whether its owner alone may look into the folder, if it is made here; those above are as usual.
  /// - Throws: ``FileError``.
  package static func ensure(_ path: String, isPrivate: Bool = false) throws(FileError) {
    if isFolder(path) { return }
    let above = parent(of: path)
    if above != path { try ensure(above) }
    do throws(FileError) {
      try create(path, isPrivate: isPrivate)
    } catch {
      guard error.code == FileError.taken else { throw error }
    }
    if !isFolder(path) {
      // A link that leads round in a circle is no file that is in the way.
      try check(path)
      throw FileError("create the folder", path, code: ENOTDIR)
    }
  }

  /// A folder, or where it is missing the nearest one above it, in which ``ensure(_:isPrivate:)`` would begin.
  ///
  /// - Throws: ``FileError`` where a name cannot be used, or something else has it.
  package static func nearest(to path: String) throws(FileError) -> String {
    if isFolder(path) { return path }
    try FileError.checkName("create the folder", path)
    let above = parent(of: path)
    guard FileIdentity(of: path) == nil, above != path else {
      try check(path)
      throw FileError("create the folder", path, code: ENOTDIR)
    }
    return try nearest(to: above)
  }

  /// The names in a folder, without `.` and `..`, sorted by their bytes.
  package static func names(in path: String) throws(FileError) -> [String] {
    guard let stream = unsafe opendir(path) else { throw FileError.last("list the folder", path) }
    defer { unsafe _ = closedir(stream) }
    var names: [String] = []
    while true {
      // At the end readdir leaves errno as it was; anything else is a fault of the disk.
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        guard errno == 0 else { throw FileError.last("list the folder", path) }
        break
      }
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Gives a file or folder another name, and refuses where that name is taken.
  ///
  /// - Throws: ``FileError`` with ``FileError/isTaken`` when something is there.
  package static func rename(_ source: String, to target: String) throws(FileError) {
    if unsafe renameat2(AT_FDCWD, source, AT_FDCWD, target, csystem_rename_noreplace) == 0 { return }
    // Some network file systems know no such flag. A folder never replaces one that holds something.
    if errno == EINVAL, isFolder(source, followingLinks: false), !exists(target),
      unsafe Glibc.rename(source, target) == 0
    {
      return
    }
    if errno == EINVAL, isOrdinaryFile(source) {
      // A second name for the file is refused where that is taken, just as well.
      guard unsafe link(source, target) == 0 else { throw FileError.last("rename “\(source)” to", target) }
      return try removeFile(source)
    }
    throw FileError.last("rename “\(source)” to", target)
  }

  /// Waits until the names in a folder are on the disk.
  package static func synchronize(_ path: String) throws(FileError) {
    try File(path, .read).synchronize()
  }

  /// Removes a file.
  package static func removeFile(_ path: String) throws(FileError) {
    guard unsafe unlink(path) == 0 else { throw FileError.last("remove", path) }
  }

  /// Removes a folder with everything in it; links are removed, not followed.
  ///
  /// What somebody else removes at the same time is no error, so that two who remove one folder both succeed.
  package static func removeTree(_ path: String) throws(FileError) {
    for name in try names(in: path) {
      let child = "\(path)/\(name)"
      do {
        if isFolder(child, followingLinks: false) {
          try removeTree(child)
        } else {
          try removeFile(child)
        }
      } catch {
        guard error.isMissing else { throw error }
      }
    }
    if unsafe rmdir(path) != 0, errno != ENOENT { throw FileError.last("remove the folder", path) }
  }

  /// Whether something is there, as far as may be seen.
  package static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// Looks whether something is there; links are followed.
  ///
  /// - Throws: ``FileError`` with the reason why it cannot be reached: it is missing, or links lead round in a circle.
  package static func check(_ path: String) throws(FileError) {
    guard unsafe access(path, F_OK) == 0 else { throw FileError.opening("open", path, isRegular: false) }
  }

  /// Whether something is there; links are followed.
  ///
  /// - Throws: ``FileError`` where that cannot be determined: circular links, or a folder on the way that may not be entered.
  package static func find(_ path: String) throws(FileError) -> Bool {
    do {
      try check(path)
      return true
    } catch {
      guard error.isMissing else { throw error }
      return false
    }
  }

  /// Whether a folder is there; links are followed.
  ///
  /// - Throws: ``FileError`` where that cannot be found out, as ``find(_:)`` does.
  package static func findFolder(_ path: String) throws(FileError) -> Bool { try find(path) && isFolder(path) }

  /// Whether a folder is there, as far as may be seen.
  package static func isFolder(_ path: String, followingLinks: Bool = true) -> Bool {
    var status = stat()
    let result = unsafe followingLinks ? stat(path, &status) : lstat(path, &status)
    return result == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// What a path leads to, when no link is followed.
  package enum Kind: Sendable {
    /// A folder.
    case folder
    /// A regular file.
    case regular
    /// A symbolic link.
    case link
    /// A pipe, a socket or a device.
    case other
  }

  /// What a path leads to, when no link is followed; `nil` for nothing.
  package static func kind(of path: String) -> Kind? {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return nil }
    return switch status.st_mode & S_IFMT {
    case S_IFDIR: .folder
    case S_IFREG: .regular
    case S_IFLNK: .link
    default: .other
    }
  }

  /// Whether an ordinary file is there, not a folder, a pipe or a device; links are followed.
  package static func isOrdinaryFile(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// The bytes that an ordinary user can still write to the disk on which `path` lies.
  package static func freeBytes(at path: String) throws(FileError) -> Int {
    var status = statvfs()
    guard unsafe statvfs(path, &status) == 0 else { throw FileError.last("examine the disk of", path) }
    return Int(status.f_bavail) * Int(status.f_frsize)
  }

  /// The one absolute path of a file or folder, whatever links and `..` lead to it; `nil` where it cannot be reached.
  package static func realPath(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// The folder part of a path: `a/b` of `a/b/c`, `.` of `c`.
  package static func parent(of path: String) -> String {
    let trimmed = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    guard let slash = trimmed.lastIndex(of: "/") else { return "." }
    return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
  }

  /// The last part of a path: `c` of `a/b/c`.
  package static func name(of path: String) -> String {
    let trimmed = path.count > 1 && path.hasSuffix("/") ? path.dropLast() : Substring(path)
    return trimmed.lastIndex(of: "/").map { String(trimmed[trimmed.index(after: $0)...]) } ?? String(trimmed)
  }

  /// `path` as seen from `folder`, unless it is absolute already.
  package static func path(_ path: String, from folder: String) -> String {
    path.hasPrefix("/") ? path : folder == "." ? path : "\(folder)/\(path)"
  }
}

extension File {
  /// Reads a whole file.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - limit: the largest size that is read, in bytes.
  /// - Returns: its bytes.
  /// - Throws: ``FileError``; code `EFBIG` for a file above the limit.
  package static func contents(of path: String, limit: Int = .max) throws(FileError) -> [UInt8] {
    try File(path, .read).contents(limit: limit)
  }

  /// Reads the rest of the file, up to a largest size in bytes.
  ///
  /// - Throws: ``FileError``; code `EFBIG` for a file above the limit.
  package borrowing func contents(limit: Int = .max) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(try size(), limit))
    while true {
      let piece = try read(upTo: 1 << 16)
      if piece.isEmpty { return bytes }
      guard bytes.count + piece.count <= limit else { throw FileError("read", path, code: EFBIG) }
      bytes += piece
    }
  }

  /// Makes a file that is there with all of its bytes or not at all, on the disk when this returns.
  ///
  /// It is written beside under another name and then given its own, which replaces nothing.
  ///
  /// - Throws: ``FileError`` with ``FileError/isTaken`` when something of that name is there; nothing is left behind.
  package static func createWhole(_ path: String, _ bytes: [UInt8]) throws(FileError) {
    guard !Folder.exists(path) else { throw FileError("create", path, code: FileError.taken) }
    let folder = Folder.parent(of: path)
    let part = Folder.path(".\(Folder.name(of: path)).\(UInt64.random(in: .min ... .max)).part", from: folder)
    do {
      try create(part, bytes)
      try Folder.rename(part, to: path)
    } catch {
      try? Folder.removeFile(part)
      throw error.path == part ? FileError(error.action, path, code: error.code) : error
    }
    try Folder.synchronize(folder)
  }

  /// Makes a file with these bytes, on the disk when this returns; refuses where the name is taken.
  package static func create(_ path: String, _ bytes: [UInt8], isPrivate: Bool = false) throws(FileError) {
    let file = try File(path, .create, isPrivate: isPrivate)
    try file.write(bytes)
    try file.synchronize()
  }
}
