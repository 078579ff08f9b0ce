import Basics

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
