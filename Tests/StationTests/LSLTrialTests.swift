import Basics
import Foundation
import TestSupport
import Testing

/// With the streams that `station sensors --pretend lsl` offers, through the library that the wheel of pylsl has.
@Suite("A trial with streams of the Lab Streaming Layer", .serialized)
struct LSLTrialTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  private static let environment = ["VIRTUAL_ENV": "\(Repository.root)/.test-env"]

  @Test(
    "keeps heart rates with the clock offset of their stream, and has a gap where the stream ends",
    arguments: [false, true])
  func trial(ends: Bool) async throws {
    try bench.write(
      Bench.music(
        seconds: 6, recorders: [Bench.recorder("hr", "heartRate", "count/min", settle: 1)], more: Bench.looped),
      to: "lsl.json")
    let run = try await Turns.trials.take {
      let child = try bench.start(["sensors", "--pretend", "lsl"], environment: Self.environment)
      try await child.output.wait(for: "station check sensor 'lsl:")
      let trial = try bench.start(
        bench.trial(of: "lsl.json", sensors: ["hr=lsl:station rehearsal"]), environment: Self.environment)
      let reading = Task { try await bench.awaitReadings(2) }
      let ending = Task {
        _ = await trial.end()
        reading.cancel()
      }
      defer { ending.cancel() }
      if ends {
        try await reading.value
        child.send(SIGINT)
      }
      let status = await trial.end()
      if !ends { child.send(SIGINT) }
      _ = await child.end()
      return (status: status, text: trial.output.text + trial.complaints.text)
    }
    let bundle = try #require(bench.bundles().first, "\(run)")
    let result = try bench.result(bundle)
    #expect(result["outcome"]?.string == "completed", "\(run)")
    let recording = try #require(result["recordings"]?.array?.first)
    #expect(recording["samples"]?.integer ?? 0 >= 1, "\(run)")
    #expect(result.caveats().contains("sensorLost") == ends, "\(run)")
    #expect(try await bench.run(["verify", bundle]).status == 0)
  }
}
