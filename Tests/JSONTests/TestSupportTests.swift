import Foundation
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

  @Test("A text that differs from its file is told with the line")
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
