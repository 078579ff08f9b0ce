import Basics

/// A journal's file, and the lines that no sync has covered yet: what the writer's thread works on.
///
/// A line is kept until a sync that followed its writing has succeeded. When a sync fails, the system may have dropped
/// what was written since the last one and may report the next sync as a success all the same; therefore those lines are
/// written again through a new descriptor, at the same places, and only a sync after that counts. They are not cut off
/// first: what the system still holds of them would be lost to a crash in between.
struct DurableTail {
  /// What the file is known to hold.
  enum Condition {
    /// All that was written.
    case sound
    /// What the last sync covered; lines after it may be gone.
    case doubtful
    /// Nothing that anybody will find: the file was removed, or another is in its place.
    case displaced
  }

  let path: String
  private let volume: any DurableDisk
  /// Holds the lock; a descriptor that was opened later does not.
  private var holder: any DurableFile
  private var file: any DurableFile
  private(set) var condition = Condition.sound

  /// Lines that are to be written.
  private var pending: [DurablePiece] = []
  /// Lines that were written after the last sync.
  private(set) var unsynced: [DurablePiece] = []
  private var unsyncedBytes = 0
  /// The sync that is under way: how many of those lines it covers, and to which byte; `nil` without one.
  private var sync: (lines: Int, end: Int)?
  /// The bytes that the last sync covered, and those that were written.
  private var durable = 0
  private var size = 0
  private var reserved = DurableTail.reservation
  private var isTorn = false
  /// Whether a boundary was written, or a sync failed, since the last sync began.
  private var isUrgent = false
  /// Whether a displaced file has been written again at its path, and only its name may not be on the disk yet.
  private var isNameUnsynced = false
  /// Where a file went that was in the journal's place, until that is reported.
  private var movedAside: String?

  /// The disk space reserved ahead of the lines, so that no other process can fill the disk during a trial.
  static let reservation = 4 << 20

  /// The number of bytes from which on they are synchronised at once, not within a second.
  private static let maxUnsynced = 8 << 20

  /// Makes a journal that must not hold anything yet, and locks it.
  init(_ path: String, on volume: any DurableDisk) throws(FileError) {
    let file = try volume.open(path, .ensure)
    guard try file.lock() else { throw FileError("lock", path, code: FileError.busy) }
    guard try file.size() == 0 else { throw FileError("create", path, code: FileError.taken) }
    file.reserve(Self.reservation)
    self.path = path
    self.volume = volume
    self.file = file
    holder = file
  }

  /// Whether lines wait for a sync, and whether that should not wait for its turn.
  var isUnsynced: Bool { !unsynced.isEmpty }
  var mustSynchronize: Bool { isUrgent || unsyncedBytes >= Self.maxUnsynced }
  /// Whether the file holds all that was to be written.
  var isWhole: Bool { condition == .sound && pending.isEmpty }
  /// Whether a sync is under way.
  var isSynchronizing: Bool { sync != nil }

  /// Takes pieces that are to be written.
  mutating func take(_ lines: [DurablePiece]) { pending += lines }

  /// Whether the file is still found under its path; where it is not, no line of it is safe.
  mutating func look() -> Bool {
    if condition == .displaced { return false }
    guard holder.isAt(path) else {
      condition = .displaced
      return false
    }
    return true
  }

  /// Reopens the file after a failed sync; what may be lost is to be written again.
  mutating func reopen() throws(FileError) {
    file = try volume.open(path, .change)
    pending = unsynced + pending
    (unsynced, unsyncedBytes, size) = ([], 0, durable)
    condition = .sound
  }

  /// Writes what waits; what the disk refuses waits on.
  mutating func write() throws(FileError) {
    for (index, line) in pending.enumerated() {
      do throws(FileError) {
        if isTorn { try file.truncate(to: size) }
        isTorn = true
        reserve(line.bytes.count)
        try file.write(line.bytes, at: size)
        isTorn = false
      } catch {
        // The room that half a line takes is given back at once, if that can be done now.
        if (try? file.truncate(to: size)) != nil { isTorn = false }
        (reserved, isUrgent) = (size, true)
        pending.removeFirst(index)
        throw error
      }
      size += line.bytes.count
      unsynced.append(line)
      unsyncedBytes += line.bytes.count
      if line.isBoundary { isUrgent = true }
    }
    pending = []
  }

  // Taken again when less than half of it is left; a file system that cannot do this is asked as seldom.
  private mutating func reserve(_ bytes: Int) {
    guard size + bytes + Self.reservation / 2 > reserved else { return }
    reserved = size + bytes + Self.reservation
    file.reserve(reserved)
  }

  /// Begins to bring to the disk what was written; lines may be written until ``endSync(_:)``, which that does not cover.
  ///
  /// - Returns: the file, which is to be synchronised.
  mutating func beginSync() -> any DurableFile {
    (sync, isUrgent) = ((unsynced.count, size), false)
    return file
  }

  /// Takes note of what became of the sync under way.
  ///
  /// - Parameter refusal: why the disk refused it.
  /// - Returns: the lines that are safe from now on.
  /// - Throws: the refusal.
  mutating func endSync(_ refusal: FileError?) throws(FileError) -> [DurablePiece] {
    guard let (lines, end) = sync.take() else { return [] }
    if let refusal {
      if condition == .sound { condition = .doubtful }
      isUrgent = true
      throw refusal
    }
    let covered = Array(unsynced.prefix(lines))
    unsynced.removeFirst(lines)
    unsyncedBytes -= covered.reduce(0) { $0 + $1.bytes.count }
    durable = end
    return covered
  }

  private mutating func settle() -> [DurablePiece] {
    defer { (unsynced, unsyncedBytes, isUrgent) = ([], 0, false) }
    durable = size
    return unsynced
  }

  /// Writes the journal of a displaced file again at its path, from the file that is still open and from memory.
  ///
  /// - Parameter aside: where a file goes that is in its place; nothing is overwritten.
  /// - Returns: the lines that are safe from now on besides those that were, and where that other file went.
  /// - Throws: `FileError`; the file still counts as displaced then, and no line as safe.
  mutating func restore(aside: String) throws(FileError) -> (lines: [DurablePiece], aside: String?) {
    if !isNameUnsynced || !holder.isAt(path) { try writeAgain(aside: aside) }
    // A file system that fails to keep names takes no more changes, so that a sync that succeeds later can be believed.
    try volume.synchronizeFolder(Folder.parent(of: path))
    defer { movedAside = nil }
    (condition, isNameUnsynced) = (.sound, false)
    return (settle(), movedAside)
  }

  private mutating func writeAgain(aside: String) throws(FileError) {
    isNameUnsynced = false
    let part = "\(Folder.parent(of: path))/.journal-\(UInt64.random(in: .min ... .max)).part"
    do throws(FileError) {
      let copy = try volume.open(part, .createChangeable)
      guard try copy.lock() else { throw FileError("lock", path, code: FileError.busy) }
      var position = try copyDurable(to: copy)
      for line in unsynced {
        try copy.write(line.bytes, at: position)
        position += line.bytes.count
      }
      try copy.synchronizeData()
      if FileIdentity(of: path) != nil {
        let place = "\(aside)-\(UInt32.random(in: .min ... .max))"
        try Folder.rename(path, to: place)
        movedAside = place
      }
      try Folder.rename(part, to: path)
      (file, holder, isNameUnsynced) = (copy, copy, true)
      (size, reserved, isTorn) = (position, 0, false)
    } catch {
      try? Folder.removeFile(part)
      throw error
    }
  }

  private func copyDurable(to copy: any DurableFile) throws(FileError) -> Int {
    var position = 0
    while position < durable {
      let piece = try holder.read(upTo: min(durable - position, 1 << 16), at: position)
      if piece.isEmpty { throw FileError("read", path, code: FileError.damaged) }
      try copy.write(piece, at: position)
      position += piece.count
    }
    return position
  }
}
