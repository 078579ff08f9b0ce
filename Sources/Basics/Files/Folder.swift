import CSystem
import Glibc

/// Operations on whole files and folders by path.
package enum Folder: Sendable {
  /// Creates a folder, which must not exist.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - isPrivate: whether only its owner has access, even where ``NewFiles`` are shared.
  /// - Throws: ``FileError``.
  package static func create(_ path: String, isPrivate: Bool = false) throws(FileError) {
    try FileError.checkName("create the folder", path)
    guard unsafe mkdir(path, NewFiles.folderPermissions(isPrivate: isPrivate)) == 0 else {
      throw FileError.last("create the folder", path)
    }
  }

  /// Creates a folder and its parents, if missing.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - isPrivate: whether only its owner has access to the folder, if it is newly created; parents get default
  ///     permissions.
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
      // First report a circular link as such, rather than as a file in the way.
      try check(path)
      throw FileError("create the folder", path, code: ENOTDIR)
    }
  }

  /// The folder, or its nearest existing parent, in which ``ensure(_:isPrivate:)`` would start.
  ///
  /// - Throws: ``FileError`` if a name is unusable, or belongs to something other than a folder.
  package static func nearest(to path: String) throws(FileError) -> String {
    try FileError.checkName("create the folder", path)
    let above = parent(of: path)
    // Looked for before its kind is asked for: another station may create the folder meanwhile.
    let exists = FileIdentity(of: path) != nil || above == path
    if isFolder(path) { return path }
    guard !exists else {
      try check(path)
      throw FileError("create the folder", path, code: ENOTDIR)
    }
    return try nearest(to: above)
  }

  /// The names in a folder, without `.` and `..`, sorted by their bytes.
  package static func names(in path: String) throws(FileError) -> [String] {
    try entries(in: path).map(\.name).sorted { $0.precedes($1) }
  }

  /// The names of the folders in a folder, and of links to folders, sorted by their bytes.
  package static func folderNames(in path: String) throws(FileError) -> [String] {
    // Most file systems say what an entry is; asking for each takes longer than the list.
    try entries(in: path).filter { entry in
      switch Int(entry.type) {
      case Int(DT_DIR): true
      case Int(DT_LNK), Int(DT_UNKNOWN): isFolder("\(path)/\(entry.name)")
      default: false
      }
    }
    .map(\.name).sorted { $0.precedes($1) }
  }

  /// The entries of a folder with the types that the file system gives them, without `.` and `..`.
  private static func entries(in path: String) throws(FileError) -> [(name: String, type: UInt8)] {
    guard let stream = unsafe opendir(path) else { throw FileError.last("list the folder", path) }
    defer { unsafe _ = closedir(stream) }
    var entries: [(name: String, type: UInt8)] = []
    while true {
      // At the end readdir leaves errno unchanged; any other value is a read error.
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        guard errno == 0 else { throw FileError.last("list the folder", path) }
        break
      }
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { entries.append((name, unsafe entry.pointee.d_type)) }
    }
    return entries
  }

  /// Renames a file or folder without replacing an existing one.
  ///
  /// - Throws: ``FileError`` with ``FileError/isTaken`` if the target exists.
  package static func rename(_ source: String, to target: String) throws(FileError) {
    if unsafe renameat2(AT_FDCWD, source, AT_FDCWD, target, csystem_rename_noreplace) == 0 { return }
    // Some network file systems do not support the flag; a plain rename never replaces a non-empty folder.
    if errno == EINVAL, isFolder(source, followingLinks: false), !exists(target),
      unsafe Glibc.rename(source, target) == 0
    {
      return
    }
    if errno == EINVAL, isOrdinaryFile(source) {
      // Creating a hard link fails, too, if the target exists.
      guard unsafe link(source, target) == 0 else { throw FileError.last("rename “\(source)” to", target) }
      return try removeFile(source)
    }
    throw FileError.last("rename “\(source)” to", target)
  }

  /// Waits until a folder's entries are on disk.
  package static func synchronize(_ path: String) throws(FileError) {
    try File(path, .read).synchronize()
  }

  /// Waits until everything on a folder's file system is on disk: for many files at once.
  package static func synchronizeFileSystem(_ path: String) throws(FileError) {
    try File(path, .read).synchronizeFileSystem()
  }

  /// Removes a file.
  package static func removeFile(_ path: String) throws(FileError) {
    guard unsafe unlink(path) == 0 else { throw FileError.last("remove", path) }
  }

  /// Removes a folder that is empty.
  package static func removeEmpty(_ path: String) throws(FileError) {
    guard unsafe rmdir(path) == 0 else { throw FileError.last("remove the folder", path) }
  }

  /// Removes a folder with its content; links are removed, not followed.
  ///
  /// Entries that another process removes at the same time are no error, so that two concurrent removals both succeed.
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

  /// Whether a path exists, as far as permissions allow to see it.
  package static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// Checks that a path exists, following links.
  ///
  /// - Throws: ``FileError`` with the reason why it cannot be reached, such as a missing file or circular links.
  package static func check(_ path: String) throws(FileError) {
    guard unsafe access(path, F_OK) == 0 else { throw FileError.opening("open", path, isRegular: false) }
  }

  /// Whether a path exists, following links.
  ///
  /// - Throws: ``FileError`` if that cannot be determined: circular links, or a parent folder without access
  ///   permission.
  package static func find(_ path: String) throws(FileError) -> Bool {
    do {
      try check(path)
      return true
    } catch {
      guard error.isMissing else { throw error }
      return false
    }
  }

  /// Whether a path is an existing folder, following links.
  ///
  /// - Throws: ``FileError`` if that cannot be determined, as in ``find(_:)``.
  package static func findFolder(_ path: String) throws(FileError) -> Bool { try find(path) && isFolder(path) }

  /// Whether a path is an existing folder, as far as permissions allow to see it.
  package static func isFolder(_ path: String, followingLinks: Bool = true) -> Bool {
    var status = stat()
    let result = unsafe followingLinks ? stat(path, &status) : lstat(path, &status)
    return result == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The kind of a file system entry, without following links.
  package enum Kind: Sendable {
    case folder
    /// A regular file.
    case regular
    /// A symbolic link.
    case link
    /// A pipe, a socket or a device.
    case other
  }

  /// The kind of the entry at a path, without following links; `nil` if there is none.
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

  /// Whether a path is a regular file, following links.
  package static func isOrdinaryFile(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// The bytes that an ordinary user can still write to the disk that contains `path`.
  package static func freeBytes(at path: String) throws(FileError) -> Int {
    var status = statvfs()
    guard unsafe statvfs(path, &status) == 0 else { throw FileError.last("examine the disk of", path) }
    return Int(status.f_bavail) * Int(status.f_frsize)
  }

  /// The canonical absolute path of a file or folder, with all links and `..` resolved; `nil` if it cannot be reached.
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

  /// `path` relative to `folder`, unless it is absolute already.
  package static func path(_ path: String, from folder: String) -> String {
    path.hasPrefix("/") ? path : folder == "." ? path : "\(folder)/\(path)"
  }
}

extension File {
  /// Reads a whole file.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - limit: the maximum size in bytes.
  /// - Returns: its bytes.
  /// - Throws: ``FileError``; code `EFBIG` for a file that exceeds the limit.
  package static func contents(of path: String, limit: Int = .max) throws(FileError) -> [UInt8] {
    try File(path, .read).contents(limit: limit)
  }

  /// Reads a whole file that is inside a folder, also where links lead to it.
  ///
  /// - Parameters:
  ///   - path: its path from the folder.
  ///   - folder: the folder.
  ///   - limit: the maximum size in bytes.
  /// - Returns: its bytes.
  /// - Throws: ``FileError``; code `FileError.outside` for one that a link leads to outside of the folder.
  package static func contents(
    of path: String, inside folder: String, limit: Int = .max
  ) throws(FileError) -> [UInt8] {
    let named = Folder.path(path, from: folder)
    guard let real = Folder.realPath(named), let home = Folder.realPath(folder) else { return try contents(of: named) }
    guard real.hasPrefix(home == "/" ? "/" : "\(home)/") else {
      throw FileError("open", named, code: FileError.outside)
    }
    // Nothing may put a link in its place meanwhile.
    let inside = String(real.dropFirst(home == "/" ? 1 : home.count + 1))
    do throws(FileError) {
      return try File(inside: home, inside).contents(limit: limit)
    } catch {
      throw FileError(error.action, named, code: error.code)
    }
  }

  /// Reads the rest of the file, up to a maximum size in bytes.
  ///
  /// - Throws: ``FileError``; code `EFBIG` for a file that exceeds the limit.
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

  /// Creates a file atomically, on disk when this returns.
  ///
  /// The data are written under a temporary name in the same folder and then renamed without replacing anything.
  ///
  /// - Throws: ``FileError`` with ``FileError/isTaken`` if the name exists; nothing is left behind.
  package static func createWhole(_ path: String, _ bytes: [UInt8], isPrivate: Bool = false) throws(FileError) {
    guard !Folder.exists(path) else { throw FileError("create", path, code: FileError.taken) }
    let part = try PartFile.create(beside: path, isPrivate: isPrivate)
    do throws(FileError) {
      try part.write(bytes)
      try part.synchronize()
      try Folder.rename(part.path, to: path)
    } catch {
      try? Folder.removeFile(part.path)
      throw error.path == part.path ? FileError(error.action, path, code: error.code) : error
    }
    part.unlock()
    try Folder.synchronize(Folder.parent(of: path))
  }

  /// Writes a file in place of the one that has the name, on disk when this returns.
  ///
  /// A reader meanwhile gets the old contents or the new ones.
  ///
  /// - Throws: ``FileError``; the old file is still there then.
  package static func replaceWhole(_ path: String, _ bytes: [UInt8], isPrivate: Bool = false) throws(FileError) {
    let part = try PartFile.create(beside: path, isPrivate: isPrivate)
    do throws(FileError) {
      try part.write(bytes)
      try part.synchronize()
      guard unsafe Glibc.rename(part.path, path) == 0 else { throw FileError.last("replace", path) }
    } catch {
      try? Folder.removeFile(part.path)
      throw error.path == part.path ? FileError(error.action, path, code: error.code) : error
    }
    part.unlock()
    try Folder.synchronize(Folder.parent(of: path))
  }

  /// Creates a file with content, on disk when this returns; throws if the name exists.
  package static func create(_ path: String, _ bytes: [UInt8], isPrivate: Bool = false) throws(FileError) {
    let file = try File(path, .create, isPrivate: isPrivate)
    try file.write(bytes)
    try file.synchronize()
  }
}
