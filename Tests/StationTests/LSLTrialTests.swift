import Basics
import Foundation
import Glibc
import TestSupport
import Testing

/// With the streams that `Scripts/pretend lsl` offers, through the library that the wheel of pylsl has.
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
      let child = try bench.pretend(["lsl"], environment: Self.environment)
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

  /// Offers a stream of heart rates under a name that another one has, until it is ended.
  private static let outlet = """
    import sys, time, pylsl
    outlet = pylsl.StreamOutlet(pylsl.StreamInfo(sys.argv[1], 'HeartRate', 1, 0, 'float32', sys.argv[2]))
    print('offered', flush=True)
    while True:
        outlet.push_sample([70.0])
        time.sleep(0.05)
    """

  @Test("Of two streams of one name none is taken, and addresses that tell them apart are offered")
  func namesakes() async throws {
    // Computers that do not pass on multicast messages are asked one by one, which takes longer.
    try bench.write("[multicast]\nResolveScope = machine\n[lab]\nKnownPeers = {127.0.0.1}\n", to: "lsl.cfg")
    try bench.write(Self.outlet, to: "outlet.py")
    let environment = Self.environment.merging(["LSLAPICFG": bench.scratch["lsl.cfg"]]) { $1 }
    let name = "namesake \(getpid())"
    let outlets = try ["first", "second"].map {
      try Child(Repository.python, ["outlet.py", name, $0], in: bench.path, environment: environment)
    }
    for outlet in outlets { try await outlet.output.wait(for: "offered") }
    let found = try await bench.run(["sensors"], environment: environment).output
    try bench.write(
      Bench.music(seconds: 1, recorders: [Bench.recorder("hr", "heartRate", "count/min")]), to: "lsl.json")
    @Sendable func run(_ address: String) async throws -> (status: Int32, output: String, complaints: String) {
      try await bench.run(bench.trial(of: "lsl.json", sensors: ["hr=\(address)"]), environment: environment)
    }
    let refused = try await run("lsl:\(name)")
    #expect(refused.status == 1 && bench.bundles().isEmpty, "\(refused)")
    for source in ["first", "second"] {
      let condition = "source_id='\(source)'"
      // In a shell's quotation marks.
      #expect(found.contains(condition.replacing("'", with: #"'\''"#)), "\(found)")
      let address = "lsl:name='\(name)' and \(condition)"
      #expect(refused.complaints.contains(address), "\(refused)")
      let one = try await Turns.trials.take { try await run(address) }
      #expect([0, 4].contains(one.status), "\(one)")
    }
    #expect(bench.bundles().count == 2)
    for outlet in outlets {
      outlet.send(SIGTERM)
      _ = await outlet.end()
    }
  }
}
