import Basics

/// One piece that waits to be written: a line, or a block.
struct DurablePiece: Sendable {
  let bytes: [UInt8]
  /// Whether it is brought to the disk at once.
  let isBoundary: Bool
}

/// What appends pieces to a ``DurableWriter``: numbers and encodes them.
protocol DurableBacklog: Sendable {
  /// The pieces that wait, and how far they are.
  var writes: WriteBacklog { get set }
}

/// What a writer has yet to write, and how far it is: a value that the writer guards.
struct WriteBacklog: Sendable {
  /// How many bytes are kept in memory while the disk refuses them.
  let limit: Int

  /// How many pieces were appended.
  private(set) var appended = 0
  /// How many pieces a sync has covered, and whether their file is where it should be.
  private var synced = 0
  private var isInPlace = true
  private(set) var trouble: FileError?
  /// Whether the trouble is that the file is not where it should be.
  private var isTroubleOfPlace = false
  var waiters: [CheckedContinuation<Void, any Error>] = []

  private var pieces: [DurablePiece] = []
  /// The bytes of the pieces that are held in memory: those that wait, and those that were written and not yet synced.
  private var bytes = 0
  private var isAwake = false

  init(limit: Int) { self.limit = limit }

  /// Whether there is no room for more pieces that can be spared.
  var isFull: Bool { bytes >= limit }

  /// Takes a piece.
  mutating func push(_ piece: [UInt8], isBoundary: Bool) {
    pieces.append(DurablePiece(bytes: piece, isBoundary: isBoundary))
    bytes += piece.count
    appended += 1
  }

  /// Whether the writer's thread has to be called; not while it is at work or waits for room.
  mutating func mustWake() -> Bool {
    guard !isAwake, trouble == nil else { return false }
    isAwake = true
    return true
  }

  /// Everything that waits.
  mutating func take() -> (pieces: [DurablePiece], waiters: [CheckedContinuation<Void, any Error>]) {
    defer { (pieces, waiters) = ([], []) }
    return (pieces, waiters)
  }

  /// How many pieces survive whatever happens now.
  var durable: Int { isInPlace ? synced : 0 }

  /// Takes note that a sync has covered these pieces, which need not be kept any longer.
  mutating func synchronized(_ batch: [DurablePiece]) {
    synced += batch.count
    bytes -= batch.reduce(0) { $0 + $1.bytes.count }
  }

  /// Takes note that the file is not where it should be.
  mutating func displace() { isInPlace = false }

  /// Takes note that it is there again, with these pieces besides.
  mutating func restore(_ batch: [DurablePiece]) {
    isInPlace = true
    synchronized(batch)
  }

  /// Takes note of a refusal; whether it is the first of its kind in a row.
  ///
  /// A disk that refuses pieces and a file that is gone are two kinds: the second puts all that was recorded at risk.
  mutating func refuse(_ error: FileError, isDisplaced: Bool) -> Bool {
    defer { (trouble, isTroubleOfPlace, isAwake) = (error, isDisplaced, false) }
    return trouble == nil || isTroubleOfPlace != isDisplaced
  }

  /// Takes note that the disk refuses nothing; whether that ends a time of trouble.
  mutating func recover() -> Bool {
    defer { trouble = nil }
    return trouble != nil
  }

  /// Ends a round of writing: whether nothing waits any more.
  mutating func finishRound() -> Bool {
    let isDone = pieces.isEmpty && waiters.isEmpty
    if isDone { isAwake = false }
    return isDone
  }
}

/// The file system as a journal's writer uses it; tests put faults and a disk that forgets in its place.
protocol DurableDisk: Sendable {
  /// Opens a regular file, which is private to its owner.
  func open(_ path: String, _ mode: File.Mode) throws(FileError) -> any DurableFile
  /// Waits until the names in a folder are on the disk.
  func synchronizeFolder(_ path: String) throws(FileError)
}

/// An open file as a journal's writer uses it.
protocol DurableFile: Sendable {
  func lock() throws(FileError) -> Bool
  func size() throws(FileError) -> Int
  func read(upTo count: Int, at position: Int) throws(FileError) -> [UInt8]
  func write(_ bytes: [UInt8], at position: Int) throws(FileError)
  func reserve(_ size: Int)
  func truncate(to size: Int) throws(FileError)
  func synchronizeData() throws(FileError)
  /// Whether it is still the file of that path.
  func isAt(_ path: String) -> Bool
}

/// The system's own files.
struct SystemDisk: DurableDisk {
  func open(_ path: String, _ mode: File.Mode) throws(FileError) -> any DurableFile {
    try LockedFile(path, mode)
  }

  func synchronizeFolder(_ path: String) throws(FileError) { try Folder.synchronize(path) }
}

extension LockedFile: DurableFile {
  func lock() throws(FileError) -> Bool { try take() }
  func size() throws(FileError) -> Int { try file.size() }
  func read(upTo count: Int, at position: Int) throws(FileError) -> [UInt8] {
    try file.read(upTo: count, at: position)
  }
  func write(_ bytes: [UInt8], at position: Int) throws(FileError) { try file.write(bytes, at: position) }
  func reserve(_ size: Int) { file.reserve(size) }
  func truncate(to size: Int) throws(FileError) { try file.truncate(to: size) }
  func synchronizeData() throws(FileError) { try file.synchronizeData() }
  func isAt(_ path: String) -> Bool { file.isAt(path) }
}
