import Basics
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Ctrl-C, keys and terminals")
struct InterruptTests {
  let bench: Bench

  init() throws {
    bench = try Bench()
    // So long that the interrupt comes before its end on any machine.
    try bench.write(Self.forOperator(Bench.music(seconds: 60, more: Bench.looped)), to: "long.json")
  }

  private static func forOperator(_ text: String) -> String {
    text.replacing(#""title": "Short","#, with: #""title": "Short", "display": "operator","#)
  }

  private func journal(_ bundle: String) throws -> [Substring] {
    try String(contentsOfFile: "\(bundle)/data/journal.jsonl", encoding: .utf8).split(separator: "\n")
  }

  private func expectStoppedInOrder() async throws {
    #expect(bench.bundles().count == 1)
    let bundle = try #require(bench.bundles().first)
    let result = try bench.result(bundle)
    #expect(result["outcome"]?.string == "stopped")
    #expect(try await bench.run(["verify", bundle]).status == 0)
    let frames = try #require(result["playback"]?["framesPlayed"]?.integer)
    // At 44.1 kHz, 50 ms of fade were heard at least, and the rest of the minute was not.
    #expect((2205..<60 * 44_100).contains(frames))
    #expect(try journal(bundle).contains { $0.contains(#""kind":"stimulus.offset""#) })
    #expect(bench.names(in: "results/open").isEmpty)
  }

  @Test("One interrupt in the middle of a clip ends the trial in order", arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
  func once(signal: Int32) async throws {
    try await Turns.trials.take {
      let child = try bench.start(bench.trial(of: "long.json"))
      try await child.output.wait(for: "the clip sounds") { child.send(signal) }
      #expect(await child.end() == 4)
      #expect(child.output.text.contains("ending the trial; the recorded data are kept"))
    }
    try await expectStoppedInOrder()
  }

  @Test("A signal in the same moment as the last Return ends the session", arguments: [SIGINT, SIGTERM, SIGHUP])
  func lastReturn(signal: Int32) async throws {
    try bench.write(
      """
      { "format": "station.protocol/1", "identifier": "End", "version": "1", "display": "participant",
        "steps": [{ "kind": "completion", "identifier": "end", "title": "Thanks" }] }
      """, to: "end.json")
    for attempt in 0..<6 {
      let status = try await Turns.trials.take {
        let child = try bench.start(["run", "end.json", "--participant", "p\(attempt)"], input: .terminal)
        try await child.output.wait(for: "Thanks")
        child.type("\n")
        child.send(signal)
        return await child.end()
      }
      // The end screen would wait for a key that nobody presses.
      #expect([0, 1, 4].contains(status))
    }
    #expect(bench.names(in: "results/open").isEmpty)
  }

  @Test("A second interrupt where nobody can be asked keeps everything")
  func twice() async throws {
    try await Turns.trials.take {
      let child = try bench.start(bench.trial(of: "long.json"))
      try await child.output.wait(for: "the clip sounds") { for _ in 0..<3 { child.send(SIGINT) } }
      #expect(await child.end() == 4)
    }
    try await expectStoppedInOrder()
  }

  @Test("An interrupt before the trial ends the program, and nothing is recorded")
  func before() async throws {
    // A sound server that takes connections and never answers.
    let silence = try SilentSocket(bench.scratch["server"])
    let child = try bench.start(
      bench.trial(["--unattended"]), environment: ["PULSE_SERVER": "unix:\(bench.scratch["server"])"])
    await silence.accept { child.send(SIGINT) }
    #expect(await child.end() == 1)
    #expect(child.complaints.text.contains("interrupted before the trial; nothing was recorded"))
    #expect(bench.bundles().isEmpty)
    #expect(bench.names(in: "results/open").isEmpty)
  }

  @Test("While the protocol and its clips are read too", arguments: [SIGINT, SIGTERM, SIGHUP])
  func reading(signal: Int32) async throws {
    let made = unsafe mkfifo(bench.scratch["slow.json"], 0o600)
    try #require(made == 0)
    let child = try bench.start(bench.trial(["--unattended"], of: "slow.json"))
    // Opened as soon as the station has opened it, and never written to.
    let writer = await withCheckedContinuation { (continuation: CheckedContinuation<Int32, Never>) in
      let path = bench.scratch["slow.json"]
      Thread.detachNewThread { continuation.resume(returning: unsafe open(path, O_WRONLY | O_CLOEXEC)) }
    }
    defer { close(writer) }
    child.send(signal)
    #expect(await child.end() == 1)
    #expect(child.complaints.text.contains("interrupted before the trial; nothing was recorded"))
  }

  @Test("“play” lets the clip fade out and ends well", arguments: [SIGINT, SIGTERM, SIGHUP])
  func playing(signal: Int32) async throws {
    let clip = try #require(bench.names(in: "clips").first { $0.hasSuffix(".mp3") })
    let child = try bench.start(["play", "clips/\(clip)", "--speaker", "silent"], input: .terminal)
    try await child.output.wait(for: "♪") { child.send(signal) }
    #expect(await child.end() == 0)
    #expect(child.output.text.contains("played "))
  }

  @Test(
    "At a terminal: Return goes on, p pauses, Ctrl-S, Ctrl-Z and Ctrl-\\ do nothing, and the terminal is left as it was"
  )
  func terminal() async throws {
    try bench.write(Self.forOperator(Bench.music(seconds: 3, more: Bench.looped)), to: "pause.json")
    try await Turns.trials.take {
      let child = try bench.start(bench.trial(["--speaker", "silent"], of: "pause.json"), input: .terminal)
      let terminal = try #require(child.terminal)
      let before = terminal.settings
      try await child.output.wait(for: "Return continues")
      #expect(terminal.settings != before)
      child.answer([("♪", "\u{13}\u{1A}\u{1C}p"), ("paused; p resumes", "p"), ("Thanks", "\n")])
      child.type("\n")
      #expect(await child.end() == 4)
      #expect(terminal.settings == before)
      let text = child.output.text
      #expect(text.contains("\r\u{1B}[K  0:02 left"))
      #expect(text.contains("\r\u{1B}[K  0:01 left"))
      #expect(text.contains("♥ "))
      #expect(!text.contains("\n  0:01 left"))
    }
    let bundle = try #require(bench.bundles().first)
    let result = try bench.result(bundle)
    #expect(result["playback"]?["segments"]?.array?.count == 2)
    #expect(result["playback"]?["framesPlayed"]?.integer ?? 0 >= 88_200)
    #expect(result["outcome"]?.string == "completed")
    #expect(try await bench.run(["verify", bundle]).status == 0)
  }

  private func writeSlow() throws {
    try bench.write(
      Self.forOperator(
        Bench.music(seconds: 2, recorders: [Bench.recorder("hr", "heartRate", "count/min", settle: 3)])),
      to: "slow.json")
  }

  @Test("Where the second Ctrl-C has asked, a third one keeps the trial, and so does a request to end from elsewhere")
  func third() async throws {
    // The question is asked while late samples are awaited, and nobody answers it.
    try writeSlow()
    let words = bench.trial(
      ["--speaker", "silent"], of: "slow.json", sensors: [#"hr=lines:exec:echo '{"hr":60}'; exec sleep 60"#])
    try await Turns.trials.take {
      let child = try bench.start(words, input: .terminal)
      child.answer([
        ("Return continues", "\n"), ("♪", "\u{3}"), ("ending the trial", "\u{3}"), ("discard? ", "disc\u{3}"),
      ])
      #expect(await child.end() == 4)
      #expect(child.output.text.contains("the trial is kept"))
    }
    try await expectStoppedInOrder()
  }

  @Test(
    "At a terminal the second Ctrl-C asks, and only the word discard discards",
    arguments: ["discard", "", "d", "Discard"])
  func discard(answer: String) async throws {
    // One sample and then silence: late samples are awaited for three seconds, in which there is time to ask.
    try writeSlow()
    let words = bench.trial(
      ["--speaker", "silent"], of: "slow.json", sensors: [#"hr=lines:exec:echo '{"hr":60}'; exec sleep 60"#])
    try await Turns.trials.take {
      let child = try bench.start(words, input: .terminal)
      child.answer([
        ("Return continues", "\n"), ("♪", "\u{3}"), ("ending the trial", "\u{3}"), ("discard? ", answer + "\n"),
      ])
      let status = await child.end()
      #expect(child.output.text.contains(answer == "discard" ? "the trial is discarded" : "the trial is kept"))
      #expect(status == (answer == "discard" ? 1 : 4))
    }
    guard answer == "discard" else { return try await expectStoppedInOrder() }
    #expect(bench.bundles().isEmpty)
    #expect(bench.names(in: "results/open").isEmpty)
  }
}

/// A Unix socket that takes connections and says nothing.
struct SilentSocket: ~Copyable {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: Array(path.utf8)) }
    let number = descriptor
    unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe _ = bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    listen(descriptor, 4)
  }

  deinit { close(descriptor) }

  /// Waits until somebody has connected, and does something at that moment.
  func accept(then action: @escaping @Sendable () -> Void) async {
    let number = descriptor
    await withCheckedContinuation { continuation in
      // The connection stays open until the tests end: a closed one would be an answer.
      Thread.detachNewThread {
        _ = Glibc.accept(number, nil, nil)
        action()
        continuation.resume()
      }
    }
  }
}
