import Basics
import Glibc

/// A new store that replaces one that may be damaged, so that at every instant one of the two is complete.
///
/// While this object lives, no other process can use the store. An interruption leaves the old store under two names;
/// opening it reports this, and the next replacement finishes the job.
final class SQLiteReplacement: Sendable {
  /// The path of the new store.
  let newPath: String

  private let path: String
  private let lock: SQLiteLock

  /// The companion files that SQLite needs to read a store: the log, or the journal of one that is just being created.
  private static let logs = ["-wal", "-journal"]
  /// All companion files.
  private static let companions = logs + ["-shm"]

  /// Begins a replacement, and removes the remains of an interrupted one.
  ///
  /// - Throws: ``StoreError`` if the store is in use, and `FileError`.
  init(_ path: String) throws {
    let target = SQLiteFile.resolve(path)
    try Self.check(path, target)
    self.path = target
    newPath = "\(target).new"
    lock = try SQLiteLock(target, for: .replacer)
    // The file may have changed while waiting for the lock.
    try Self.check(path, target)
    try discard()
  }

  /// Refuses what cannot be a damaged store: anything but a regular file, and another program's file behind a link.
  private static func check(_ path: String, _ target: String) throws(StoreError) {
    var status = stat()
    guard unsafe lstat(target, &status) == 0 else { return }
    // The path is already resolved: a remaining link is dangling.
    guard status.st_mode & S_IFMT != S_IFLNK else {
      throw SQLiteFile.refuse(path, "it is a symbolic link to nothing; remove it, or name another file")
    }
    try SQLiteFile.requireOrdinary(path, status)
    guard path != target, status.st_size > 0 else { return }
    let beginning = try? File(target, .read).read(upTo: 16)
    guard beginning == Array("SQLite format 3\0".utf8) else {
      throw SQLiteFile.refuse(
        path, "it is a symbolic link to “\(target.visible)”, which is not a SQLite database; name the file itself")
    }
  }

  /// Removes the new store.
  func discard() throws(FileError) {
    for suffix in ["", SQLiteLock.suffix] + Self.companions { try Self.remove(newPath + suffix) }
  }

  /// Moves the new, closed store into the place of the old one, which is kept under another name.
  ///
  /// - Returns: the old store's new name; `nil` if there was no store.
  /// - Throws: `FileError`, `SQLiteError`.
  func finish() throws -> String? {
    try seal()
    let old = try keepOld()
    // Their contents remain under the old store's new name.
    for suffix in Self.companions { try Self.remove(path + suffix) }
    guard unsafe rename(newPath, path) == 0 else { throw FileError("rename “\(newPath)” to", path, code: errno) }
    try Folder.synchronize(Folder.parent(of: path))
    return old
  }

  /// Merges the new store into one file, and synchronises it to disk.
  private func seal() throws {
    do {
      let database = try SQLiteDatabase(newPath, .write)
      try database.execute("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE")
    }
    try File(newPath, .read).synchronize()
    try Self.remove(newPath + SQLiteLock.suffix)
  }

  /// Gives the old store a second name in the same folder, and synchronises the folder.
  private func keepOld() throws(FileError) -> String? {
    let parts = ([""] + Self.logs).filter { Folder.exists(path + $0) }
    guard parts.contains("") else { return nil }
    let kept = name(for: parts)
    var made: [String] = []
    do throws(FileError) {
      for part in parts where !Folder.exists(kept + part) {
        made.append(kept + part)
        try Self.keep(path + part, as: kept + part)
      }
      try Folder.synchronize(Folder.parent(of: path))
    } catch {
      for name in made { try? Self.remove(name) }
      throw error
    }
    return kept
  }

  /// The first unused name, or the one that an interrupted attempt gave to this same store.
  private func name(for parts: [String]) -> String {
    var number = 1
    while true {
      let name = "\(path).\(number).damaged"
      let isFree = (["", "-shm"] + Self.logs).allSatisfy { !Folder.exists(name + $0) }
      let isOurs =
        Self.isSame(path, name)
        && parts.allSatisfy { part in
          !Folder.exists(name + part) || Self.isSame(path + part, name + part)
        }
      if isFree || isOurs { return name }
      number += 1
    }
  }

  private static func isSame(_ left: String, _ right: String) -> Bool {
    var (first, second) = (stat(), stat())
    return unsafe stat(left, &first) == 0 && stat(right, &second) == 0 && first.st_ino == second.st_ino
      && first.st_dev == second.st_dev
  }

  /// Creates a hard link to a file, or a copy if the file system does not support links.
  private static func keep(_ source: String, as target: String) throws(FileError) {
    if unsafe link(source, target) == 0 { return }
    guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) else {
      throw FileError("keep “\(source)” as", target, code: errno)
    }
    let from = try File(source, .read)
    let to = try File(target, .create)
    while true {
      let bytes = try from.read(upTo: 1 << 20)
      if bytes.isEmpty { break }
      try to.write(bytes)
    }
    try to.synchronize()
  }

  private static func remove(_ path: String) throws(FileError) {
    do throws(FileError) { try Folder.removeFile(path) } catch { if !error.isMissing { throw error } }
  }
}
