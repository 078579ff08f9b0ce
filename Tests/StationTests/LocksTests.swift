import Basics
import Foundation
import Glibc
import Quantities
import TestSupport
import Testing

@Suite("Locks that two stations ask for")
struct LocksTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  /// A trial that a crash has left open.
  private func leaveOpen() async throws {
    let bundle = try await RecordedTrial.bundle(in: bench.scratch["made"])
    let folder = bench.scratch["results/open/\(Folder.name(of: bundle))"]
    try Folder.ensure(bench.scratch["results/bundles"])
    try Folder.ensure(folder)
    for name in ["journal.jsonl", "protocol.json"] {
      try File.create("\(folder)/\(name)", try File.contents(of: "\(bundle)/data/\(name)"))
    }
  }

  /// Who works under a lock, where that one halts, who asks for it meanwhile, and what that one is told.
  struct Contest: CustomTestStringConvertible, Sendable {
    enum Words: Sendable {
      case trial
      case other([String])
    }

    enum Answer: Sendable {
      /// Refused, with the holder's process.
      case refused
      /// The trial is left alone.
      case leftAlone
    }

    let holder: Words
    let call: String
    let path: String
    let asker: Words
    let answer: Answer

    init(_ holder: Words, _ call: String, _ path: String, _ asker: Words, _ answer: Answer) {
      (self.holder, self.call, self.path, self.asker, self.answer) = (holder, call, path, asker, answer)
    }

    var testDescription: String { "\(holder) at \(call) \(path), \(asker)" }
  }

  private func words(_ words: Contest.Words) -> [String] {
    switch words {
    case .trial: bench.trial()
    case .other(let words): words
    }
  }

  @Test(
    "Who works under a lock has it until the work is done, and another station is told by whom it is held",
    arguments: [
      // A trial appears in the folder of open trials.
      Contest(.trial, "mkdir", "/open/0", .trial, .refused),
      // A trial that ended is made into a bundle.
      Contest(.trial, "rename", "/bundles/0", .other(["recover"]), .leftAlone),
      Contest(.other(["recover"]), "rename", "/bundles/0", .other(["recover"]), .leftAlone),
      Contest(
        .other(["withdraw", "p1", "--yes"]), "rename", "/.withdrawal.json", .other(["withdraw", "p1", "--yes"]),
        .refused),
      // A store in use is not replaced.
      Contest(.other(["store", "add"]), "sync", "station.sqlite", .other(["store", "rebuild"]), .refused),
      Contest(
        .other(["store", "rebuild", "--from-scratch"]), "rename", "station.sqlite",
        .other(["store", "rebuild", "--from-scratch"]), .refused),
    ])
  func held(contest: Contest) async throws {
    if case .other(let words) = contest.holder {
      if words == ["recover"] {
        try await leaveOpen()
      } else {
        _ = try await RecordedTrial.bundle(in: bench.scratch["results"])
      }
    }
    try await Turns.trials.take {
      let holder = try await HaltedChild(words(contest.holder), at: contest.call, of: contest.path, on: bench)
      let asker = try await bench.run(words(contest.asker))
      switch contest.answer {
      case .refused:
        #expect(asker.status == 1, "\(asker)")
        #expect(asker.complaints.contains("process \(holder.child.identifier) "), "\(asker)")
      case .leftAlone: #expect(asker.output.contains("it is being recorded"), "\(asker)")
      }
      let status = await holder.end()
      #expect(status == 0 || status == 4, "\(holder.child.complaints.text)")
    }
    #expect(bench.names(in: "results/open").isEmpty)
    #expect(bench.bundles().count == (contest.path.contains("withdrawal") ? 0 : 1))
    for bundle in bench.bundles() {
      let sums = try Program.run("sh", ["-c", #"cd "$0" && sha256sum -c --quiet *manifest-sha256.txt"#, bundle])
      #expect(sums.status == 0, "\(sums.output)\(sums.error)")
    }
  }

  @Test("A store that is being replaced is waited for")
  func replacedStore() async throws {
    _ = try await RecordedTrial.bundle(in: bench.scratch["results"])
    let holder = try await HaltedChild(
      ["store", "rebuild", "--from-scratch"], at: "rename", of: "station.sqlite", on: bench)
    let asker = try bench.start(["store", "add"])
    try await asker.complaints.wait(for: "process \(holder.child.identifier) (")
    #expect(await holder.end() == 0)
    #expect(await asker.end() == 0)
  }

  @Test("The private sound server of a trial is not removed by another trial")
  func server() async throws {
    try await Turns.trials.take {
      let holder = try await HaltedChild(bench.trial(), at: "mkdir", of: "/open/0", on: bench)
      let folder = try #require(
        bench.names(in: "").first { $0.hasPrefix("station-\(holder.child.identifier)-") })
      #expect(File.isLocked(bench.scratch["\(folder)/claim"]) == true)
      _ = try await bench.run(bench.trial(results: "other"))
      #expect(Folder.exists(bench.scratch["\(folder)/claim"]))
      #expect([0, 4].contains(await holder.end()))
    }
  }
}
