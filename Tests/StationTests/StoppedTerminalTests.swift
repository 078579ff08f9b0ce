import Foundation
import Glibc
import TestSupport
import Testing

@testable import Basics

/// What a trial owes nobody: an output device that stands still, is full or has gone away.
@Suite("Trials whose output goes nowhere")
struct StoppedTerminalTests {
  let bench: Bench

  init() throws {
    bench = try Bench()
    let long = Bench.music(seconds: 60, more: Bench.looped)
    try bench.write(long, to: "long.json")
    try bench.write(
      long.replacing(#""title": "Short","#, with: #""title": "Short", "display": "operator","#), to: "operator.json")
  }

  /// Waits until the journal of the trial that runs holds 20 readings; its end before that is a failure.
  private func awaitReadings(of program: RunningProgram) async throws {
    let reading = Task { try await bench.awaitReadings(20) }
    let ending = Task {
      _ = await program.end()
      reading.cancel()
    }
    defer { ending.cancel() }
    try await reading.value
  }

  /// The trial ended in order, and its journal holds every sample in its order.
  private func expectWhole(outcome: String = "stopped") async throws {
    #expect(bench.names(in: "results/open").isEmpty)
    let bundle = try #require(bench.bundles().first)
    #expect(try await bench.run(["verify", bundle]).status == 0)
    #expect(try bench.result(bundle)["outcome"]?.string == outcome)
    let rates = Bench.rates(try Data(contentsOf: URL(filePath: "\(bundle)/data/journal.jsonl")))
    #expect(rates.count >= 20)
    #expect(zip(rates, rates.dropFirst()).allSatisfy { $1 == ($0 < 120 ? $0 + 1 : 40) }, "\(rates)")
  }

  @Test(
    "A terminal that nobody reads delays no sample, and Ctrl-C ends the trial",
    arguments: ["operator.json", "long.json"])
  func unread(protocolName: String) async throws {
    try await Turns.trials.take {
      let device = try FullTerminal()
      let program = try device.start(bench, bench.trial(["--speaker", "silent"], of: protocolName))
      device.type("\n")
      try await awaitReadings(of: program)
      device.type("\u{3}")
      #expect(await program.end() == 4)
    }
    try await expectWhole()
  }

  @Test(
    "A terminal that does not take the output, as after Ctrl-S, stops neither sending nor an export",
    arguments: [["send", "--to", "there"], ["export", "kubios", "results", "--to", "there"]])
  func sending(words: [String]) async throws {
    let trial = "019a9c2e-5d42-7cc3-98c4-dc0c0c07398f"
    try FileManager.default.createDirectory(atPath: bench.scratch["there"], withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
      atPath: bench.scratch["results/bundles"], withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: "\(Repository.root)/Tests/BundlesTests/Fixtures/bundle",
      toPath: bench.scratch["results/bundles/\(trial)"])
    let words = words.map { $0 == "there" ? bench.scratch["there"] : $0 }
    let terminal = try FullTerminal()
    let program = try terminal.start(bench, words)
    // It says what it can for a second, and ends.
    _ = await program.end()
    terminal.vanish()
    #expect(bench.names(in: "there").contains { $0.hasPrefix(trial) })
  }

  @Test("A pipe that nobody reads, as standard output and standard error, delays no sample")
  func pipe() async throws {
    try await Turns.trials.take {
      let (reading, writing) = try Self.fullPipe()
      let program = try RunningProgram(
        ["/usr/bin/env", "--chdir", bench.path, Bench.station] + bench.trial(of: "long.json"),
        environment: ["TMPDIR=\(bench.path)", "PATH=\(ProcessInfo.processInfo.environment["PATH"] ?? "")"],
        streams: [FileHandle.nullDevice.fileDescriptor, writing.fileDescriptor, writing.fileDescriptor])
      try await awaitReadings(of: program)
      program.send(SIGINT)
      #expect(await program.end() == 4)
      _ = reading
    }
    try await expectWhole()
  }

  @Test("A full disk behind standard output costs the success of the process, and nothing of the trial")
  func fullDevice() async throws {
    let words = bench.trial().map { "'\($0)'" }.joined(separator: " ")
    let run = try await Turns.trials.take {
      let child = try Child(
        "/bin/sh", ["-c", "exec '\(Bench.station)' \(words) >/dev/full"], in: bench.path,
        environment: ["TMPDIR": bench.path])
      return (status: await child.end(), complaints: child.complaints.text)
    }
    #expect(run.status == 1 || run.status == 4)
    #expect(run.complaints.contains("cannot write to “standard output”"))
    #expect(bench.bundles().count == 1)
  }

  @Test("A terminal that vanishes ends the trial in order, also with a signal right after", arguments: [0, 1, 2])
  func vanished(signals: Int) async throws {
    try await Turns.trials.take {
      let device = try FullTerminal(isFull: false)
      let program = try device.start(bench, bench.trial(["--speaker", "silent"], of: "operator.json"))
      device.type("\n")
      try await awaitReadings(of: program)
      let trial = try #require(bench.names(in: "results/open").first)
      let station = LockHolder(of: "\(bench.scratch["results/open"])/\(trial)/journal.jsonl")?.process
      device.vanish()
      for _ in 0..<signals { kill(try #require(station), SIGTERM) }
      #expect([1, 4].contains(await program.end()))
    }
    let outcome = try bench.result(try #require(bench.bundles().first))["outcome"]?.string
    try await expectWhole(outcome: outcome == "failed" ? "failed" : "stopped")
  }

  @Test("A terminal that can do nothing gets plain lines", arguments: ["dumb", ""])
  func dumb(type: String) async throws {
    try bench.write(Bench.music(seconds: 0.2), to: "tiny.json")
    try await Turns.trials.take {
      let child = try bench.start(
        bench.trial(["--speaker", "silent"], of: "tiny.json"), input: .terminal, environment: ["TERM": type])
      child.answer([("waiting for Return", "\n"), ("Thanks", "\n")])
      _ = await child.end()
      #expect(child.output.text.contains("bundle: results/bundles/"))
      #expect(!child.output.text.contains("\u{1B}"))
    }
  }

  private static func fullPipe() throws -> (reading: FileHandle, writing: FileHandle) {
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    fill(descriptor)
    return (pipe.fileHandleForReading, pipe.fileHandleForWriting)
  }

  /// Writes to a device until it takes nothing more.
  static func fill(_ descriptor: Int32) {
    let flags = fcntl(descriptor, F_GETFL)
    _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
    let byte: [UInt8] = [UInt8(ascii: ".")]
    while unsafe write(descriptor, byte, 1) == 1 {}
    _ = fcntl(descriptor, F_SETFL, flags)
  }
}

/// A terminal whose near end nobody reads, full from the start or not.
private final class FullTerminal {
  private let terminal: Terminal

  init(isFull: Bool = true) throws {
    terminal = try Terminal()
    if isFull { StoppedTerminalTests.fill(terminal.far.fileDescriptor) }
  }

  func start(_ bench: Bench, _ words: [String]) throws -> RunningProgram {
    let environment = ProcessInfo.processInfo.environment.merging(
      [
        "TMPDIR": bench.path, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color",
        "XDG_CONFIG_HOME": "\(bench.path)/.config",
      ]
    ) { _, new in new }
    let program = try RunningProgram(
      ["/usr/bin/env", "--chdir", bench.path, "setsid", "--ctty", "--wait", Bench.station] + words,
      environment: environment.map { "\($0.key)=\($0.value)" },
      streams: Array(repeating: terminal.far.fileDescriptor, count: 3))
    try terminal.far.close()
    return program
  }

  func type(_ text: String) { terminal.near.write(Data(text.utf8)) }

  /// The window is closed.
  func vanish() { try? terminal.near.close() }
}
