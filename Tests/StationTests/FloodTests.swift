import Basics
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Sensors that send more than can be read")
struct FloodTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  @Test("Several floods are held back together, which is counted, and a sensor beside them loses nothing")
  func floods() async throws {
    let names = (0..<4).map { "flood\($0)" }
    let recorders = (names + ["strap"]).map { Bench.recorder($0, "heartRate", "count/min") }
    try bench.write(
      """
      { "format": "station.protocol/1", "identifier": "Floods", "version": "1", "steps": [
        { "kind": "rest", "identifier": "rest", "stepDuration": 3,
          "recorderConfigurations": [\(recorders.joined(separator: ", "))] }] }
      """, to: "floods.json")
    let floods = names.enumerated().map { "\($1)=lines:exec:yes 6\($0)" }
    let (run, lateness) = try await Lateness.during {
      try await Turns.trials.take {
        try await bench.run(
          bench.trial(["--unattended"], of: "floods.json", sensors: floods + ["strap=\(Bench.steady)"]))
      }
    }
    #expect(run.status == 4, "\(run.complaints)")
    let result = try bench.result(#require(bench.bundles().first))
    #expect(result["outcome"] == "completed")
    let unread = (result["caveats"]?.array ?? []).filter { $0["caveat"] == "samplesUnread" }
    // A busy computer may give the programs too little time to flood.
    let heldBack = Set(unread.compactMap { $0["sensor"]?.string })
    if heldBack.count < 2, let excuse = lateness.excuse { try Test.cancel("\(excuse)") }
    #expect(heldBack.count > 1 && heldBack.isSubset(of: (0..<4).map { "lines:exec:yes 6\($0)" }), "\(heldBack)")
    for caveat in unread {
      #expect(caveat["count"]?.integer ?? 0 > 0 && caveat["heldBack_ns"]?.integer ?? 0 > 0, "\(caveat)")
    }
    // Ten lines a second, as far as the computer lets the sensor's program run.
    let strap = result["recordings"]?.array?.first { $0["recorder"] == "strap" || $0["identifier"] == "strap" }
    #expect(strap?["samples"]?.integer ?? 0 > 5, "\(String(describing: strap))")
    let dropped = (result["caveats"]?.array ?? []).filter { $0["caveat"] == "samplesDropped" }
    #expect(!dropped.contains { $0["sensor"]?.string?.hasPrefix("lines:exec:i=") ?? false }, "\(dropped)")
  }
}
