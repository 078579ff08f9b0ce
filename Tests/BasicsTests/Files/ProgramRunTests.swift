import Basics
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A program that is run to its end")
struct ProgramRunTests {
  @Test("is given its input, and returns its output")
  func output() throws {
    let folder = try ScratchFolder()
    #expect(try ProgramStart(["cat"]).run(reading: Array("text".utf8), in: folder.path) == "text")
    #expect(try ProgramStart(["cat"]).run(in: folder.path).isEmpty, "nothing of the last run is left")
  }

  @Test(
    "What a program left is known with its status or its signal",
    arguments: [("echo out; echo err >&2; exit 3", 3, "out\n", "err\n"), ("kill -9 $$", -9, "", "")]
      as [(String, Int32, String, String)])
  func outcome(script: String, status: Int32, output: String, errors: String) throws {
    let folder = try ScratchFolder()
    let outcome = try ProgramStart(["sh", "-c", script]).outcome(in: folder.path)
    #expect((outcome.status, outcome.output, outcome.errors) == (status, output, errors))
  }

  @Test(
    "that is missing or fails is reported with what is known of it",
    arguments: [
      (["no-such-program"], .missing), (["sh", "-c", "exit 3"], .failed(reason: "it reported no reason")),
      (["sh", "-c", "echo first >&2; echo second >&2; kill -9 $$"], .failed(reason: "first second")),
    ] as [([String], ProgramStart.Failure)])
  func failures(words: [String], failure: ProgramStart.Failure) throws {
    let folder = try ScratchFolder()
    #expect(throws: failure) { try ProgramStart(words).run(in: folder.path) }
  }

  @Test("that does not end is killed with what it started")
  func hanging() throws {
    let folder = try ScratchFolder()
    let limit = Duration.milliseconds(500)
    let script = "sleep 600 & echo $! >\(folder.path)/child; wait"
    #expect(throws: ProgramStart.Failure.unfinished(limit: limit)) {
      try ProgramStart(["sh", "-c", script]).run(in: folder.path, limit: limit)
    }
    let child = try String(contentsOfFile: folder["child"], encoding: .utf8).filter(\.isNumber)
    // A zombie of a parent that does not look after its children has ended too.
    while let state = try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8), !state.contains(") Z ") {
      poll(nil, 0, 5)
    }
  }

  @Test("works in a folder for this user only, which is gone afterwards")
  func folder() throws {
    let scratch = try ScratchFolder()
    let path = try TemporaryFolder(in: scratch.path).use { (path) throws(FileError) in
      let mode = try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o700)
      try File.create("\(path)/file", [1], isPrivate: true)
      return path
    }
    #expect(path.hasPrefix("\(scratch.path)/station-"))
    #expect(try Folder.names(in: scratch.path).isEmpty)
  }
}
