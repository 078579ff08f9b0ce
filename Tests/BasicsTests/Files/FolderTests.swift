import Basics
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Folders")
struct FolderTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  @Test("Names come sorted by their bytes, and all of them")
  func names() throws {
    let names = ["B", "a", "\u{e9}", "z", "10", "9"] + (0..<300).map { "x\($0)" }
    for name in names { try File.create(scratch[name], []) }
    let sorted = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    #expect(try Folder.names(in: scratch.path) == sorted)
    #expect(throws: FileError.self) { try Folder.names(in: scratch["missing"]) }
    for name in ["folder", "Folder"] { try Folder.ensure(scratch[name]) }
    for (link, target) in [("to a folder", "folder"), ("to a file", "a"), ("to nothing", "missing")] {
      #expect(unsafe symlink(target, scratch[link]) == 0)
    }
    #expect(try Folder.folderNames(in: scratch.path) == ["Folder", "folder", "to a folder"])
    #expect(throws: FileError.self) { try Folder.folderNames(in: scratch["missing"]) }
    #expect(throws: FileError.self) { try Folder.names(in: scratch["a"]) }
  }

  @Test("Folders are made with those above them, twice without harm, and not over a file")
  func ensure() throws {
    try Folder.ensure(scratch["a/b/c"])
    try Folder.ensure(scratch["a/b/c/"])
    #expect(Folder.isFolder(scratch["a/b/c"]))
    try File.create(scratch["file"], [])
    #expect(throws: FileError.self) { try Folder.ensure(scratch["file"]) }
    #expect(throws: FileError.self) { try Folder.ensure(scratch["file/x"]) }
    let error = #expect(throws: FileError.self) { try Folder.create(scratch["a"]) }
    #expect(error?.isTaken == true)
  }

  @Test(
    "A name that is taken is not replaced, by a file or a folder, empty or not",
    arguments: [
      "file onto file", "folder onto empty folder", "folder onto full folder", "file onto folder", "folder onto file",
    ])
  func rename(kind: String) throws {
    let isFolder = (source: kind.hasPrefix("folder"), target: kind.hasSuffix("folder"))
    func make(_ name: String, isFolder: Bool, isFull: Bool) throws {
      guard isFolder else { return try File.create(scratch[name], Array(name.utf8)) }
      try Folder.create(scratch[name])
      if isFull { try File.create(scratch["\(name)/inner"], []) }
    }
    try make("source", isFolder: isFolder.source, isFull: true)
    try make("target", isFolder: isFolder.target, isFull: kind.contains("full"))
    let error = #expect(throws: FileError.self) { try Folder.rename(scratch["source"], to: scratch["target"]) }
    #expect(error?.isTaken == true)
    #expect(try Folder.names(in: scratch.path) == ["source", "target"])
    #expect(Folder.isFolder(scratch["target"]) == isFolder.target)
    try Folder.rename(scratch["source"], to: scratch["free"])
    #expect(try Folder.names(in: scratch.path) == ["free", "target"])
  }

  @Test("A tree is removed with its links, and what they point to stays")
  func removeTree() throws {
    try Folder.ensure(scratch["kept/inner"])
    try Folder.ensure(scratch["tree/a/b"])
    try File.create(scratch["tree/a/b/file"], [])
    try FileManager.default.createSymbolicLink(atPath: scratch["tree/a/link"], withDestinationPath: scratch["kept"])
    try FileManager.default.createSymbolicLink(atPath: scratch["tree/dangling"], withDestinationPath: "nowhere")
    try Folder.removeTree(scratch["tree"])
    #expect(try Folder.names(in: scratch.path) == ["kept"])
    #expect(Folder.isFolder(scratch["kept/inner"]))
  }

  @Test("Many who remove one tree at the same time all succeed, or find it gone", arguments: 0..<10)
  func removeTreeTogether(round: Int) async throws {
    for name in 0..<200 {
      try Folder.ensure(scratch["tree/\(name % 20)"])
      try File.create(scratch["tree/\(name % 20)/\(name)"], [])
    }
    let path = scratch["tree"]
    let errors = await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { () -> FileError? in
          do throws(FileError) { try Folder.removeTree(path) } catch { return error }
          return nil
        }
      }
      return await group.reduce(into: [FileError]()) { if let error = $1 { $0.append(error) } }
    }
    #expect(errors.allSatisfy { $0 == FileError("list the folder", path, code: ENOENT) }, "\(errors)")
    #expect(!Folder.exists(path))
  }

  @Test("The nearest folder is found while others make folders below it")
  func nearest() async throws {
    let paths = (0..<2000).map { scratch["\($0)"] }
    try await withThrowingTaskGroup { group in
      group.addTask { for path in paths { try Folder.ensure(path) } }
      group.addTask { [scratch] in
        for path in paths {
          while try Folder.nearest(to: "\(path)/below") == scratch.path { try Task.checkCancellation() }
        }
      }
      try await group.waitForAll()
    }
    try File.create(scratch["file"], [])
    #expect(throws: FileError("create the folder", scratch["file"], code: ENOTDIR)) {
      try Folder.nearest(to: scratch["file/below"])
    }
  }

  @Test("Links to folders are folders only where they are followed")
  func links() throws {
    try Folder.create(scratch["folder"])
    try FileManager.default.createSymbolicLink(atPath: scratch["link"], withDestinationPath: scratch["folder"])
    #expect(Folder.isFolder(scratch["link"]))
    #expect(!Folder.isFolder(scratch["link"], followingLinks: false))
    #expect(!Folder.isFolder(scratch["nothing"]))
    #expect(Folder.exists(scratch["link"]))
    #expect(!Folder.exists(scratch["nothing"]))
  }

  @Test("df agrees about the free bytes of a disk, as far as others leave it alone")
  func freeBytes() throws {
    let free = try Folder.freeBytes(at: scratch.path)
    let line = try Program.run("df", ["--output=size,avail", "-B1", scratch.path]).output.split(separator: "\n").last
    let figures = line?.split(separator: " ").compactMap { Int($0) } ?? []
    try #require(figures.count == 2)
    #expect(free <= figures[0] && abs(free - figures[1]) <= 256 << 20, "\(free) \(figures)")
    #expect(throws: FileError.self) { try Folder.freeBytes(at: scratch["missing"]) }
  }

  @Test("dirname and basename agree about paths", arguments: ["a/b/c", "a", "/a", "a/b/", "/a/b", "\u{1F3B5}/x\ny"])
  func paths(path: String) throws {
    func run(_ program: String) throws -> String { String(try Program.run(program, ["-z", path]).output.dropLast()) }
    #expect(try Folder.parent(of: path) == run("dirname"))
    #expect(try Folder.name(of: path) == run("basename"))
  }

  @Test(
    "A path is seen from a folder unless it is absolute",
    arguments: [
      ("x", "a/b", "a/b/x"), ("../x", "a", "a/../x"), ("/x", "a", "/x"), ("x", ".", "x"), ("x", "/a", "/a/x"),
    ])
  func from(path: String, folder: String, result: String) { #expect(Folder.path(path, from: folder) == result) }
}
