import Basics
import Foundation
import Glibc
import Session
import Synchronization
import TestSupport
import Testing

@testable import station

@Suite("What happens around a trial")
struct SessionTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  @Test("The verdict does not wait for the store, and an interrupt leaves the store to the next run")
  func storeThatIsLocked() async throws {
    try FileManager.default.createDirectory(atPath: bench.scratch["results"], withIntermediateDirectories: false)
    let lock = try LockedFile(bench.scratch["results/station.sqlite.lock"], .append)
    #expect(try lock.take())
    let child = try await Turns.trials.take {
      let child = try bench.start(bench.trial())
      try await child.output.wait(for: "bundle: results/bundles/") { child.send(SIGINT) }
      _ = await child.end()
      return child
    }
    #expect(child.complaints.text.contains("“station store add”"))
    #expect(child.output.text.contains("verdict: "))
    #expect(bench.bundles().count == 1)
    withExtendedLifetime(lock) {}
  }

  @Test("An interrupt at the end screen ends it, the verdict comes, and a store that is locked is not waited for")
  func interruptedEndScreen() async throws {
    try FileManager.default.createDirectory(atPath: bench.scratch["results"], withIntermediateDirectories: false)
    let lock = try LockedFile(bench.scratch["results/station.sqlite.lock"], .append)
    #expect(try lock.take())
    let thanks = Bench.music(seconds: 1).replacing(
      #""title": "Short","#, with: #""title": "Short", "phrases": { "end": "Please wait here" },"#)
    try bench.write(thanks, to: "short.json")
    let (child, duration) = try await Turns.trials.take {
      let child = try bench.start(bench.trial(["--speaker", "silent"], of: "short.json"), input: .terminal)
      child.answer([("Return", "\n"), ("Thanks", "\n")])
      try await child.output.wait(for: "Please wait here")
      let start = ContinuousClock.now
      child.send(SIGTERM)
      _ = await child.end()
      return (child, ContinuousClock.now - start)
    }
    // Far below the minute for which a store is waited for.
    #expect(duration < .seconds(20), "\(duration)")
    #expect(child.output.text.contains("“station store add”"))
    #expect(child.output.text.contains("verdict: "))
    #expect(bench.bundles().count == 1)
    withExtendedLifetime(lock) {}
  }

  @Test("Who keeps others from opening trials is named, and waited for no longer than a few seconds")
  func lockOfResults() async throws {
    try FileManager.default.createDirectory(atPath: bench.scratch["results/open"], withIntermediateDirectories: true)
    let lock = try LockedFile(bench.scratch["results/open/.lock"], .append)
    #expect(try lock.take())
    let run = try await bench.run(bench.trial())
    #expect(run.status == 1)
    #expect(run.complaints.contains("process \(getpid()) ("))
    withExtendedLifetime(lock) {}
  }

  @Test(
    "A trial that is refused leaves no results folder",
    arguments: [
      (sensor: "hr=lines:exec:exit 1", protocolName: "short.json", status: 1 as Int32),
      ("hr=lines:exec:exec sleep 60", "short.json", 1), ("none=simulated", "short.json", 2),
      ("hr=simulated", "wrong.json", 3), ("hr=simulated", "missing.json", 3),
    ])
  func refused(sensor: String, protocolName: String, status: Int32) async throws {
    try bench.write(
      Bench.music(seconds: 1).replacing(#""steps""#, with: #""sensorCheck": 1, "steps""#), to: "short.json")
    try bench.write(#"{ "format": "station.protocol/1" }"#, to: "wrong.json")
    let run = try await bench.run(bench.trial(of: protocolName, sensors: [sensor]))
    #expect(run.status == status, "\(run.output)\(run.complaints)")
    #expect(!FileManager.default.fileExists(atPath: bench.scratch["results"]))
  }

  // MARK: Sleep

  /// A program in the place of `systemd-inhibit`, which writes down what it is given.
  private func inhibitor(_ script: String) throws {
    try bench.write("#!/bin/sh\n\(script)\n", to: "systemd-inhibit")
    unsafe _ = chmod(bench.scratch["systemd-inhibit"], 0o755)
  }

  private func awaitFile(_ name: String) async -> String {
    let watch = FileWatch(bench.scratch[name])
    while true {
      let text = FileManager.default.contents(atPath: bench.scratch[name]).map { String(decoding: $0, as: UTF8.self) }
      if let text, text.hasSuffix("\n") { return text }
      _ = await watch.wait()
    }
  }

  @Test("The computer is kept awake until it is released, by a lock that ends with the process")
  func awake() async throws {
    try inhibitor(#"echo "$@" > arguments; cat; echo ended > end"#.replacing("> ", with: "> \(bench.path)/"))
    let inhibitor = SessionInhibitor(path: "/nowhere:\(bench.path)", logind: [bench.path]) {
      Issue.record("refused: \($0)")
    }
    let arguments = await awaitFile("arguments")
    #expect(arguments.hasPrefix("--what=idle:sleep:handle-lid-switch --mode=block "))
    #expect(!FileManager.default.fileExists(atPath: bench.scratch["end"]))
    inhibitor.release()
    #expect(await awaitFile("end") == "ended\n")
  }

  @Test("A login manager that refuses is reported with its words")
  func refused() async throws {
    try inhibitor("echo 'Failed to inhibit: Access denied' >&2; exit 1")
    let words = await withCheckedContinuation { continuation in
      let once = Mutex<CheckedContinuation<String, Never>?>(continuation)
      let inhibitor = SessionInhibitor(path: bench.path, logind: [bench.path]) { words in
        once.withLock { $0.take() }?.resume(returning: words)
      }
      _ = inhibitor
    }
    #expect(words == "Failed to inhibit: Access denied")
  }

  @Test("Without a login manager, or without the program, nothing is started")
  func nothing() throws {
    try inhibitor("echo started > \(bench.path)/arguments")
    SessionInhibitor(path: bench.path, logind: [bench.path, bench.scratch["none"]]) { _ in Issue.record("refused") }
      .release()
    SessionInhibitor(path: "", logind: [bench.path]) { _ in Issue.record("refused") }.release()
    #expect(!FileManager.default.fileExists(atPath: bench.scratch["arguments"]))
  }
}
