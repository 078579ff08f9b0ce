import Basics
import Bundles
import Glibc
import Quantities
import TestSupport
import Testing

@Suite("Pipes where files should be")
struct PipeTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  /// Runs `station`, which has five seconds to refuse; nobody ever writes into the pipes.
  private func refusal(_ words: [String]) async throws -> String {
    let child = try Child(
      Bench.station, words, in: bench.path, environment: ["TMPDIR": bench.path, "LC_ALL": "C.UTF-8"], patience: 5)
    let status = await child.end()
    #expect(status == 1, "\(words): \(child.complaints.text)")
    return child.complaints.text
  }

  private func pipe(_ path: String) throws {
    if Folder.exists(path) { try Folder.removeFile(path) }
    let made = unsafe mkfifo(path, 0o600)
    #expect(made == 0)
  }

  /// A trial that a crash has left open; the path of its folder.
  private func leftOpen() async throws -> (folder: String, trial: String) {
    let bundle = try await RecordedTrial.bundle(in: bench.scratch["made"])
    let trial = Folder.name(of: bundle)
    let folder = bench.scratch["results/open/\(trial)"]
    try Folder.ensure(bench.scratch["results/bundles"])
    try Folder.ensure(folder)
    for name in ["journal.jsonl", "protocol.json"] {
      try File.create("\(folder)/\(name)", try File.contents(of: "\(bundle)/data/\(name)"))
    }
    return (folder, trial)
  }

  @Test("A pipe as the lock of a results folder is refused by name", arguments: ["run", "recover"])
  func lock(command: String) async throws {
    let (_, trial) = try await leftOpen()
    try pipe(bench.scratch["results/open/.lock"])
    let text = try await refusal(command == "run" ? bench.trial() : ["recover"])
    #expect(text.contains("“results/open/.lock”") && text.contains("not a regular file"), "\(text)")
    #expect(bench.names(in: "results/open") == [trial] && bench.bundles().isEmpty)
  }

  @Test(
    "A pipe among the files of a trial that was left open stops its recovery, and is named",
    arguments: [
      "journal.jsonl", "protocol.json", "clip/high.mp3",
    ])
  func recovered(name: String) async throws {
    let (folder, trial) = try await leftOpen()
    try Folder.ensure("\(folder)/clip")
    try pipe("\(folder)/\(name)")
    let text = try await refusal(["recover"])
    #expect(text.contains("/\(trial)/\(name)”") && text.contains("not a regular file"), "\(text)")
    #expect(bench.names(in: "results/open") == [trial] && bench.bundles().isEmpty)
    // It keeps nobody from what is finished.
    #expect(try await bench.run(["list"]).status == 0)
  }

  @Test(
    "A pipe among the files of a trial that was left open does not stop those who look at it",
    arguments: [
      "journal.jsonl", "protocol.json",
    ])
  func live(name: String) async throws {
    let (folder, trial) = try await leftOpen()
    try pipe("\(folder)/\(name)")
    #expect(try await !refusal(["show", "--live"]).isEmpty)
    let text = try await refusal(["show", "--live", trial])
    #expect(text.contains(name == "journal.jsonl" ? "not a regular file" : "station recover"), "\(text)")
  }

  @Test(
    "A pipe in place of a bundle's heart data is refused with the reason",
    arguments: [
      ["show"], ["report"], ["analyse"], ["chart", "heartRate"], ["chart", "response"], ["verify"], ["store", "add"],
    ])
  func heart(command: [String]) async throws {
    let bundle = try await RecordedTrial.bundle(in: bench.scratch["results"])
    try pipe("\(bundle)/data/heart.json")
    let text = try await refusal(command + [bundle])
    #expect(text.contains("data/heart.json”") && text.contains("not a regular file"), "\(text)")
  }
}
