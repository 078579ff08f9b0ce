import Files
import Glibc
import TestSupport
import Testing

@Suite("Files")
struct FileTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func text(_ name: String) throws -> String {
    String(decoding: try File.contents(of: scratch[name]), as: UTF8.self)
  }

  @Test("What is written is read, in pieces of any size", arguments: [97, 4096, 1 << 20])
  func roundTrip(size: Int) throws {
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
    try File.create(scratch["x"], bytes)
    let file = try File(scratch["x"], .read)
    #expect(try file.size() == bytes.count)
    var read: [UInt8] = []
    while true {
      let piece = try file.read(upTo: size)
      #expect(piece.count <= size)
      if piece.isEmpty { break }
      read += piece
    }
    #expect(read == bytes)
  }

  @Test("A file that must be new refuses a name that is taken, and leaves it as it was")
  func create() throws {
    try File.create(scratch["x"], Array("first".utf8))
    let error = #expect(throws: FileError.self) { try File.create(scratch["x"], Array("second".utf8)) }
    #expect(error?.isTaken == true)
    #expect(error?.description == "cannot create “\(scratch["x"])”: File exists")
    #expect(try text("x") == "first")
  }

  @Test("A file that is made whole is there with all of its bytes, replaces nothing, and leaves nothing beside it")
  func createWhole() throws {
    try File.createWhole(scratch["x"], Array("first".utf8))
    #expect(try text("x") == "first")
    let taken = #expect(throws: FileError.self) { try File.createWhole(scratch["x"], Array("second".utf8)) }
    #expect(taken?.isTaken == true)
    #expect(try text("x") == "first")
    let missing = #expect(throws: FileError.self) { try File.createWhole(scratch["none/x"], []) }
    #expect(missing?.description == "cannot create “\(scratch["none/x"])”: No such file or directory")
    #expect(try Folder.names(in: scratch.path) == ["x"])
  }

  @Test("Bytes are read from any place, wherever others have read")
  func readAt() throws {
    try File.create(scratch["x"], Array("0123456789".utf8))
    let file = try File(scratch["x"], .read)
    #expect(try file.read(upTo: 3, at: 4) == Array("456".utf8))
    #expect(try file.read(upTo: 2) == Array("01".utf8))
    #expect(try file.read(upTo: 9, at: 8) == Array("89".utf8))
    #expect(try file.read(upTo: 9, at: 10).isEmpty)
  }

  @Test("Whether somebody holds a file's lock is seen without taking it")
  func isLocked() throws {
    let file = try File(scratch["x"], .append)
    #expect(File.isLocked(scratch["x"]) == false)
    #expect(try file.lock())
    #expect(File.isLocked(scratch["x"]) == true)
    try File.create(scratch["y"], [])
    #expect(File.isLocked(scratch["y"]) == false)
    #expect(File.isLocked(scratch["none"]) == nil)
    // Looked at as often as one likes, it stays free for the next one.
    withExtendedLifetime(file) {}
  }

  @Test("Reading or amending what is not there is told with the system's words", arguments: [File.Mode.read, .amend])
  func missing(mode: File.Mode) {
    let error = #expect(throws: FileError.self) { _ = try File(scratch["x"], mode) }
    #expect(error == FileError("open", scratch["x"], code: ENOENT))
    #expect(error?.isMissing == true)
    #expect(error?.isFull == false)
    #expect(error?.description == "cannot open “\(scratch["x"])”: No such file or directory")
  }

  @Test("Appending goes to the end, whoever else appends")
  func append() throws {
    let first = try File(scratch["x"], .append)
    let second = try File(scratch["x"], .append)
    let third = try File(scratch["x"], .amend)
    try first.write(Array("1".utf8))
    try second.write(Array("2".utf8))
    try third.write(Array("3".utf8))
    try first.write(Array("4".utf8))
    try first.write([])
    #expect(try text("x") == "1234")
  }

  @Test("A file that was cut goes on from the cut")
  func truncate() throws {
    let file = try File(scratch["x"], .append)
    try file.write(Array("whole torn".utf8))
    try file.truncate(to: 5)
    try file.write(Array(" again".utf8))
    try file.synchronizeData()
    try file.synchronize()
    #expect(try text("x") == "whole again")
  }

  @Test("A lock is seen by whoever opens the file, and ends with the file that took it")
  func lock() throws {
    func take() throws {
      let file = try File(scratch["x"], .append)
      #expect(try file.lock())
      #expect(try file.lock())
      #expect(!(try File(scratch["x"], .amend).lock()))
    }
    try take()
    let next = try File(scratch["x"], .amend)
    try next.waitForLock()
    #expect(!(try File(scratch["x"], .append).lock()))
    #expect(try next.size() == 0)
  }

  @Test("A limit is the largest size that is read", arguments: [(4, false), (5, true), (6, true)])
  func limit(limit: Int, isRead: Bool) throws {
    try File.create(scratch["x"], Array("12345".utf8))
    if isRead {
      #expect(try File.contents(of: scratch["x"], limit: limit).count == 5)
    } else {
      #expect(throws: FileError("read", scratch["x"], code: EFBIG)) {
        try File.contents(of: scratch["x"], limit: limit)
      }
    }
  }

  @Test("A folder is not read as a file")
  func folder() {
    #expect(throws: FileError("read", scratch.path, code: EISDIR)) { try File.contents(of: scratch.path) }
  }

  @Test("A device that is always full refuses what is written to it")
  func full() throws {
    let file = try File("/dev/full", .append)
    let error = #expect(throws: FileError.self) { try file.write([1]) }
    #expect(error == FileError("write", "/dev/full", code: ENOSPC))
    #expect(error?.isFull == true)
    #expect(error?.reason == "No space left on device")
  }

  @Test(
    "Any name that the system takes is taken",
    arguments: ["a\nb", "\u{1F3B5}", "..x", " ", "%", "\\", String(repeating: "x", count: 255)])
  func names(name: String) throws {
    try File.create(scratch[name], [1])
    #expect(try Folder.names(in: scratch.path) == [name])
    #expect(try File.contents(of: scratch[name]) == [1])
  }

  @Test("A name of 256 bytes is refused with the system's words")
  func longName() {
    let path = scratch[String(repeating: "x", count: 256)]
    #expect(throws: FileError("create", path, code: ENAMETOOLONG)) { try File.create(path, []) }
  }
}
