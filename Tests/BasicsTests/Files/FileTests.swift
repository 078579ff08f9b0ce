import Foundation
import Glibc
import TestSupport
import Testing

@testable import Basics

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

  @Test("Whether a file is locked is seen without taking its lock")
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

  @Test(
    "Reading or amending what is not there is reported with the system's words", arguments: [File.Mode.read, .amend])
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
    #expect(try next.lock())
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

  @Test("A file inside a folder is opened without following a link, and without waiting for a pipe")
  func inside() throws {
    try Folder.ensure(scratch["a/b"])
    try File.create(scratch["a/b/x"], Array("inside".utf8))
    #expect(try File(inside: scratch["a"], "b/x").contents() == Array("inside".utf8))
    // The folder itself may be a link.
    try FileManager.default.createSymbolicLink(atPath: scratch["link"], withDestinationPath: scratch["a"])
    #expect(try File(inside: scratch["link"], "b/x").contents() == Array("inside".utf8))
    try FileManager.default.createSymbolicLink(atPath: scratch["a/b/y"], withDestinationPath: "x")
    try FileManager.default.createSymbolicLink(atPath: scratch["a/c"], withDestinationPath: "b")
    let made = unsafe mkfifo(scratch["a/b/pipe"], 0o600)
    #expect(made == 0)
    for path in ["b/y", "c/x", "b/pipe", "b", "b/../b/x"] {
      let error = #expect(throws: FileError.self) { try File(inside: scratch["a"], path).size() }
      #expect(error?.code == FileError.irregular, "\(path)")
    }
    let missing = #expect(throws: FileError.self) { try File(inside: scratch["a"], "b/z").size() }
    #expect(missing?.isMissing == true)
  }

  @Test("A name that was not UTF-8 is not made under another name")
  func notText() throws {
    let path = scratch["\u{FFFD}x"]
    for error in [
      #expect(throws: FileError.self) { try File.create(path, []) },
      #expect(throws: FileError.self) { try Folder.create(path) },
      #expect(throws: FileError.self) { try Folder.ensure(path) },
      #expect(throws: FileError.self) { try File.contents(of: path) },
    ] {
      #expect(error?.reason == "its name is not valid UTF-8; rename it")
    }
  }

  @Test("A private file can be read by its owner alone, and a file that was replaced is not the one that is open")
  func identity() throws {
    let file = try File(scratch["x"], .createChangeable, isPrivate: true)
    try file.write(Array("0123".utf8), at: 0)
    try file.write(Array("ab".utf8), at: 1)
    #expect(try text("x") == "0ab3")
    let attributes = try FileManager.default.attributesOfItem(atPath: scratch["x"])
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let isThere = file.isAt(scratch["x"])
    try Folder.removeFile(scratch["x"])
    let isRemoved = !file.isAt(scratch["x"])
    try File.create(scratch["x"], [])
    let isReplaced = !file.isAt(scratch["x"])
    #expect(isThere && isRemoved && isReplaced)
  }

  @Test("A lock on another file system is none of this file's")
  func locks() throws {
    let list = "1: FLOCK  ADVISORY  WRITE 1234 fd:01:77 0 EOF\n2: POSIX  ADVISORY  WRITE 5 08:02:78 0 EOF\n"
    #expect(File.isLocked(inode: 77, on: ["fd:01"], in: list))
    #expect(!File.isLocked(inode: 77, on: ["08:02"], in: list))
    #expect(!File.isLocked(inode: 78, on: ["08:02"], in: list), "another kind of lock")
    let file = try File(scratch["x"], .append)
    #expect(File.isLocked(scratch["x"]) == false)
    #expect(try file.lock())
    #expect(File.isLocked(scratch["x"]) == true)
  }

  @Test("A lock that is missing from one of the kernel's lists is found in the next")
  func incompleteList() {
    let held = "1: FLOCK  ADVISORY  WRITE 1234 fd:01:77 0 EOF\n"
    var lists = ["2: FLOCK  ADVISORY  WRITE 5 fd:01:78 0 EOF\n", "", held]
    #expect(File.isLocked(inode: 77, on: ["fd:01"]) { lists.removeFirst() } == true)
    #expect(File.isLocked(inode: 77, on: ["fd:01"]) { "" } == false)
    #expect(File.isLocked(inode: 77, on: ["fd:01"]) { nil } == nil)
  }
}
