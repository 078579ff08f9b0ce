import Foundation
import Glibc
import TestSupport
import Testing

@Suite("What tests are built from")
struct TestSupportTests {
  @Test("A program's status, output and error come back, whatever their length")
  func program() throws {
    let run = try Program.run(
      "sh", ["-c", "cat; echo \"$STATION_WORD\" >&2; head -c 300000 /dev/zero | tr '\\0' x; exit 3"], input: "häj\n",
      environment: ["STATION_WORD": "word"])
    #expect(run.status == 3 && run.error == "word\n")
    #expect(run.output == "häj\n" + String(repeating: "x", count: 300_000))
  }

  @Test("A killed program has the status that a shell gives it")
  func killed() throws {
    #expect(try Program.run("sh", ["-c", "kill -9 $$"]).status == 137)
  }

  @Test("A missing program says what to do")
  func missing() {
    let error = #expect(throws: MissingProgram.self) { try Program.run("no-such-program") }
    let text = error.map { "\($0)" }
    #expect(text == "cannot run “no-such-program”: it is not installed; Scripts/test installs what the tests need")
  }

  @Test("Programs for which nobody waits leave nothing behind when they end, and end with whoever started them")
  func unawaited() async throws {
    let none = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(none) }
    func start(_ words: String...) throws -> RunningProgram {
      try RunningProgram(["/usr/bin/env"] + words, environment: [], streams: [none, none, none])
    }
    func awaitAbsence(of process: pid_t) async {
      // A zombie has a number, too.
      while kill(process, 0) == 0 { await Task.yield() }
    }
    await awaitAbsence(of: try start("sh", "-c", "sleep 600").identifier)
    let short = try start("true")
    await awaitAbsence(of: short.identifier)
    #expect(await short.end() == 0)
    #expect(!short.isRunning)
    let killed = try start("sleep", "600")
    #expect(killed.isRunning)
    killed.send(SIGTERM)
    #expect(await killed.end() == 128 + SIGTERM)
  }

  @Test("The content of an argument is described in a few words")
  func content() {
    #expect("\(Content("abc"))" == "“abc”, 3 bytes")
    #expect("\(Content([UInt8](repeating: 1, count: 1_000_000)))" == "1000000 bytes")
    #expect("\(Content([1, 2], "noise"))" == "noise, 2 bytes")
  }

  @Test("A text that differs from its file is reported with the line")
  func golden() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "golden-\(UUID().uuidString).txt")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("one\ntwo\n".utf8).write(to: file)
    try Golden.compare("one\ntwo\n", with: file.path())
    guard !Golden.records else { return }
    let error = #expect(throws: GoldenMismatch.self) { try Golden.compare("one\n2\n", with: file.path()) }
    let text = error.map { "\($0)" } ?? ""
    #expect(text.contains(":2: the file says “two”, the test made “2”; STATION_RECORD=1"))
  }

  @Test("The repository's root holds the package")
  func root() {
    #expect(FileManager.default.fileExists(atPath: "\(Repository.root)/Package.swift"))
  }
}
