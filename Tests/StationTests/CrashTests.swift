import Basics
import Foundation
import Glibc
import Quantities
import TestSupport
import Testing

@Suite("Trials that are killed at any instant")
struct CrashTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  /// How many trials are killed, and by which seed the instants are drawn; Scripts/torture trials asks for more.
  private static let trials = Int(ProcessInfo.processInfo.environment["STATION_TORTURE_TRIALS"] ?? "") ?? 10
  private static let seed = UInt64(ProcessInfo.processInfo.environment["STATION_TORTURE_SEED"] ?? "") ?? 1

  @Test("After kill -9 every bundle is whole, no line that stood in a journal is missing, and none is given twice")
  func killed() async throws {
    var state = Self.seed
    let instants = (0..<Self.trials).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      // From the first instants of the program to shortly after the end of the trial.
      return Duration.milliseconds(Int(state >> 33) % 1900)
    }
    try bench.write(
      Bench.music(seconds: 1).replacing(#""folder": "clips""#, with: #""folder": "clips", "embed": true"#),
      to: "short.json")
    let witnessed = try await withThrowingTaskGroup(of: Bool.self) { group in
      for (number, instant) in instants.enumerated() {
        group.addTask { try await Turns.trials.take { try await kill(number, at: instant) } }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    // Otherwise the instants were no good, and nothing was shown.
    #expect(witnessed >= instants.count / 4, "only \(witnessed) of \(instants.count) had begun")
    await expectNothingLeftBehind()
  }

  /// Kills a trial, recovers it and looks at it; whether its journal held lines by then.
  private func kill(_ number: Int, at instant: Duration) async throws -> Bool {
    let results = "results-\(number)"
    let child = try bench.start(bench.trial(results: results))
    // The instant is what is tried: nothing is waited for.
    try await Task.sleep(for: instant)
    let seen = journals(in: results)
    child.send(SIGKILL)
    _ = await child.end()
    let place: Comment = "trial \(number), killed after \(instant), seed \(Self.seed)"
    guard FileManager.default.fileExists(atPath: bench.scratch[results]) else {
      #expect(seen.isEmpty, place)
      return false
    }
    let recovered = try await bench.run(["recover", "--results", results])
    #expect(recovered.status == 0, place)
    #expect(recovered.complaints.isEmpty, place)
    #expect(bench.names(in: "\(results)/open").isEmpty, place)
    let bundles = bench.bundles(in: results)
    #expect(bundles.count <= 1, place)
    if !bundles.isEmpty {
      let verified = try await bench.run(["verify"] + bundles)
      #expect(verified.status == 0, "\(verified.complaints)")
    }
    for (trial, bytes) in seen where bytes.contains(UInt8(ascii: "\n")) {
      let path = "\(bench.scratch[results])/bundles/\(trial)/data/journal.jsonl"
      let kept = FileManager.default.contents(atPath: path) ?? Data()
      let lines = bytes.prefix(through: bytes.lastIndex(of: UInt8(ascii: "\n")) ?? 0)
      #expect(kept.starts(with: lines), place)
      let numbers = kept.split(separator: UInt8(ascii: "\n")).compactMap(Self.sequence)
      #expect(numbers == Array(0..<numbers.count), place)
    }
    return seen.values.contains { $0.contains(UInt8(ascii: "\n")) }
  }

  /// How many trials with numbered samples are killed; Scripts/torture numbered asks for more.
  private static let numbered = Int(ProcessInfo.processInfo.environment["STATION_TORTURE_NUMBERED"] ?? "") ?? 4

  /// A sample passes through so many threads on its way to the journal.
  private static let threads = 4

  @Test("Of numbered samples none that was sent 200 ms before kill -9 is missing, and every bag is valid")
  func numbered() async throws {
    // Each sample is its number, as an interval, and is noted with the times before and after it was sent.
    try bench.write(
      """
      import sys, time
      with open(sys.argv[1], "w") as sent:
          for number in range(1, 20000):
              before = time.monotonic()
              print('{"hr":60,"rr":[%d]}' % (300 + number % 1700), flush=True)
              sent.write("%d %.6f %.6f\\n" % (300 + number % 1700, before, time.monotonic()))
              sent.flush()
              time.sleep(0.02)

      """, to: "numbered.py")
    try bench.write(Bench.music(seconds: 5, more: Bench.looped), to: "numbered.json")
    var state = Self.seed &+ 77
    for number in 0..<Self.numbered {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      try await killNumbered(number, at: .milliseconds(1000 + Int(state >> 33) % 4000))
    }
  }

  private func killNumbered(_ number: Int, at instant: Duration) async throws {
    let results = "numbered-\(number)"
    let sensor = "hr=lines:exec:exec python3 numbered.py sent-\(number)"
    let (moments, lateness) = try await Lateness.during {
      try await Turns.trials.take {
        let child = try bench.start(bench.trial(of: "numbered.json", sensors: [sensor], results: results))
        try await child.output.wait(for: "music: started")
        let first = timespec.now
        // What is as old as the test asks for was sent in the last part of that.
        let rest = min(instant - .milliseconds(999), .milliseconds(500))
        try await Task.sleep(for: instant - .milliseconds(999) - rest)
        let starved = try await Starvation.of(child.identifier, for: rest, threads: Self.threads)
        // Noted before: the test may be left waiting after it, while the threads of the killed program, which keep the sensor's
        // pipe open, wait for their end.
        let killed = timespec.now
        child.send(SIGKILL)
        let sending = timespec.now - killed
        _ = await child.end()
        return (first: first, killed: killed, sending: sending, starved: starved)
      }
    }
    let sent = String(decoding: try Data(contentsOf: URL(filePath: bench.scratch["sent-\(number)"])), as: UTF8.self)
      .split(separator: "\n").compactMap { line -> (number: Int, before: Double, after: Double)? in
        let parts = line.split(separator: " ").compactMap { Double($0) }
        return parts.count == 3 ? (Int(parts[0]), parts[1], parts[2]) : nil
      }
    // Each thread may be woken late, and may be left waiting for a processor or, in the middle of a write, for the disk. The
    // sender shows it too, which is another program and wants to run every 20 ms.
    let times = sent.map(\.before).filter { $0 < moments.killed } + [moments.killed]
    let held = zip(times, times.dropFirst()).filter { $1 > moments.killed - 1.5 }.map { $1 - $0 - 0.02 }.max() ?? 0
    let late = Double(Self.threads) * max(lateness.largest.seconds, held)
    let delay = 0.2 + max(late, moments.starved.seconds)
    let place: Comment =
      "trial \(number), killed after \(instant), seed \(Self.seed), \(delay) s allowed, sender held \(held) s"
    let recovered = try await bench.run(["recover", "--results", results])
    #expect(recovered.status == 0, place)
    let bundle = try #require(bench.bundles(in: results).first, place)
    #expect(try await bench.run(["verify", bundle]).status == 0, place)
    let bagit = try Program.run(Repository.python, ["-m", "bagit", "--validate", bundle])
    #expect(bagit.status == 0, "\(bagit.error)")
    let (from, until) = (moments.first, moments.killed - delay)
    let due = sent.filter { $0.before > from && $0.after < until }.map(\.number)
    let journal = String(
      decoding: try Data(contentsOf: URL(filePath: "\(bundle)/data/journal.jsonl")), as: UTF8.self)
    let kept = journal.matches(of: #/"rr_ms":\[([0-9]+)\]/#).compactMap { Int($0.output.1) }
    let newest = sent.last { kept.contains($0.number) }.map { moments.killed - $0.after } ?? .infinity
    #expect(
      due.filter { !kept.contains($0) } == [],
      """
      \(place), the newest that was kept was sent \(newest) s before, the step began \(moments.killed - from) s before, \
      and to send the signal took \(moments.sending) s
      """
    )
    #expect(kept.count == Set(kept).count, place)
  }

  /// The journals of the trials that are open, by their names.
  private func journals(in results: String) -> [String: Data] {
    var journals: [String: Data] = [:]
    for name in bench.names(in: "\(results)/open") where !name.contains(".") {
      journals[name] = FileManager.default.contents(atPath: "\(bench.scratch[results])/open/\(name)/journal.jsonl")
    }
    return journals
  }

  private static func sequence(_ line: Data) -> Int? {
    let text = String(decoding: line, as: UTF8.self)
    return text.firstMatch(of: #/"seq":([0-9]+)/#).flatMap { Int($0.output.1) }
  }

  private func expectNothingLeftBehind() async {
    // Sound servers end when their owners do; each is waited for by its process, for thirty seconds at most.
    for orphan in Self.processes() where orphan.command.contains("pulseaudio") && orphan.command.contains(bench.path) {
      let ended = try? Program.run(Repository.python, ["-c", Self.awaitEnd, "\(orphan.identifier)"])
      #expect(ended?.status == 0, "a sound server outlived its station: \(orphan.command)")
    }
    _ = try? await Turns.trials.take { try await bench.run(bench.trial(results: "results-last")) }
    #expect(
      bench.names(in: ".").filter { $0.hasPrefix("station-") }.isEmpty,
      "the next start clears what the killed have left")
  }

  /// Ends with status 0 when a process has ended.
  private static let awaitEnd = """
    import os, select, sys
    try:
        process = os.pidfd_open(int(sys.argv[1]))
    except ProcessLookupError:
        sys.exit(0)
    sys.exit(0 if select.select([process], [], [], 30)[0] else 1)
    """

  private static func processes() -> [(command: String, identifier: Int)] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { Int($0) }.compactMap { identifier in
      guard let command = FileManager.default.contents(atPath: "/proc/\(identifier)/cmdline"), !command.isEmpty else {
        return nil
      }
      return (String(decoding: command, as: UTF8.self), identifier)
    }
  }
}

extension timespec {
  /// The monotonic clock, in seconds.
  fileprivate static var now: Double {
    var now = timespec()
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
  }
}
