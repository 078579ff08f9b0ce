import Basics
import Synchronization

@testable import Bundles

/// The system's files, whose calls are refused when a test says so.
final class RefusingDisk: DurableDisk {
  /// A call that can be refused.
  enum Call { case write, synchronizeFolder }

  private let refused = Mutex<[Call: (Range<Int>, Int32)]>([:])

  /// Refuses calls of a kind, counted from now on.
  func refuse(_ call: Call, _ numbers: Range<Int> = 0..<Int.max, code: Int32) {
    refused.withLock { $0[call] = (numbers, code) }
  }

  /// Refuses nothing any more.
  func relent() { refused.withLock { $0 = [:] } }

  private func perform(_ call: Call, _ path: String) throws(FileError) {
    let code = refused.withLock { refused -> Int32? in
      guard let (numbers, code) = refused[call] else { return nil }
      refused[call] = (max(0, numbers.lowerBound - 1)..<max(0, numbers.upperBound - 1), code)
      return numbers.contains(0) ? code : nil
    }
    if let code { throw FileError("\(call)", path, code: code) }
  }

  func open(_ path: String, _ mode: File.Mode) throws(FileError) -> any DurableFile {
    Opened(disk: self, path: path, file: try SystemDisk().open(path, mode))
  }

  func synchronizeFolder(_ path: String) throws(FileError) {
    try perform(.synchronizeFolder, path)
    try SystemDisk().synchronizeFolder(path)
  }

  private struct Opened: DurableFile {
    let disk: RefusingDisk
    let path: String
    let file: any DurableFile

    func lock() throws(FileError) -> Bool { try file.lock() }
    func size() throws(FileError) -> Int { try file.size() }
    func read(upTo count: Int, at position: Int) throws(FileError) -> [UInt8] {
      try file.read(upTo: count, at: position)
    }
    func write(_ bytes: [UInt8], at position: Int) throws(FileError) {
      try disk.perform(.write, path)
      try file.write(bytes, at: position)
    }
    func reserve(_ size: Int) { file.reserve(size) }
    func truncate(to size: Int) throws(FileError) { try file.truncate(to: size) }
    func synchronizeData() throws(FileError) { try file.synchronizeData() }
    func isAt(_ path: String) -> Bool { file.isAt(path) }
  }
}
