import Basics
import Foundation
import TestSupport
import Testing

@Suite("Sensors that misbehave during a clip")
struct SensorFaultTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  /// 100,000 lines a second, a thousand every ten milliseconds.
  private static let flood = """
    import sys, time
    start = time.monotonic()
    for turn in range(100000):
        sys.stdout.write(''.join('{"hr":%d}\\n' % (40 + i % 100) for i in range(1000)))
        sys.stdout.flush()
        time.sleep(max(0, start + (turn + 1) / 100 - time.monotonic()))
    """

  @Test(
    "The clip plays whole and without a gap, and earlier samples are kept",
    arguments: [
      (what: "floods", command: "exec python3 flood.py", samples: 1000),
      (
        "stalls",
        #"for i in 61 62 63 64 65; do echo "{\"hr\":$i}"; done; sleep 0.4; for i in 1 2 3; do echo $i; done; exec sleep 60"#,
        0
      ),
      ("ends", #"sleep 0.3; for i in 61 62 63 64 65; do echo "{\"hr\":$i}"; done; sleep 0.1"#, 0),
      ("talks nonsense", #"while true; do echo '{"hr":61}'; head -c 3000 /dev/urandom; echo; sleep 0.05; done"#, 2),
      ("talks without an end", #"echo '{"hr":61}'; head -c 5000000 /dev/zero; exec sleep 60"#, 0),
      ("never ends a line", #"echo '{"hr":61}'; exec cat /dev/zero"#, 0),
    ])
  func faults(what: String, command: String, samples: Int) async throws {
    try bench.write(Self.flood, to: "flood.py")
    let words = bench.trial(sensors: ["hr=lines:exec:\(command)"])
    let (run, lateness) = try await Lateness.during { try await Turns.trials.take { try await bench.run(words) } }
    let bundle = try #require(bench.bundles().last, "\(run.complaints)")
    let result = try bench.result(bundle)
    let figure = "threads were woken up to \(lateness.largest) late"
    #expect(
      result["outcome"]?.string == "completed", "a sensor that \(what); \(figure)\n\(run.output)\(run.complaints)")
    #expect(!result.caveats().contains("playbackFailed"))
    #expect(result["recordings"]?.array?.first?["samples"]?.integer ?? -1 >= samples, "\(run.output)\(run.complaints)")
    #expect(try await bench.run(["verify", bundle]).status == 0)
    try lateness.judge(result, isSoundAlone: false) {
      #expect(result["playback"]?["framesPlayed"]?.integer == 44_100)
      #expect(!result.caveats().contains("underruns"), "\(run.output)\(run.complaints)")
    }
  }

  /// With this seed the strap is off for the first fifteen seconds, and then never on for two seconds in a row.
  @Test("A trial whose sensor slips off the skin says so, in its lines and in its result")
  func offTheSkin() async throws {
    try bench.write(Bench.music(seconds: 5, more: Bench.looped), to: "long.json")
    let words = bench.trial(
      ["--speaker", "silent", "--unattended", "--no-sensor-check"], of: "long.json",
      sensors: ["heartRate=simulated:seed=26,dropouts=0.8"])
    let (status, output, complaints) = try await Turns.trials.take { try await bench.run(words) }
    #expect(status == 4, "\(output)\(complaints)")
    let bundle = try #require(bench.bundles().first)
    let result = try bench.result(bundle)
    let gaps = result["recordings"]?.array?.first?["gaps"]?.array ?? []
    #expect(gaps.contains { $0["cause"]?.string == "noContact" })
    #expect(result.caveats(from: "suspect").contains("noContact"), "\(result.caveats())")
    #expect(output.contains("; no data for "), "\(output)")
    #expect(try await bench.run(["verify", bundle]).status == 0)
  }

  @Test("Samples from before a sensor's end are kept, and its end is reported with its last words")
  func ended() async throws {
    let command =
      #"for i in 61 62 63 64 65 66 67 68; do sleep 0.1; echo "{\"hr\":$i}"; done; echo battery empty >&2; exit 3"#
    let words = bench.trial(sensors: ["hr=lines:exec:\(command)"])
    let (status, _, complaints) = try await Turns.trials.take { try await bench.run(words) }
    #expect(status == 4)
    #expect(complaints.contains("ended with status 3; its last words: “battery empty”"))
    let bundle = try #require(bench.bundles().first)
    let heart = try JSONReader.read(Array(Data(contentsOf: URL(filePath: "\(bundle)/data/heart.json")))).value
    let rates = try #require(heart["items"]?.array?.compactMap { $0["value"]?.integer })
    #expect(rates.last == 68)
    #expect(rates == Array(61...68).suffix(rates.count))
    #expect(try bench.result(bundle).caveats().contains("sensorLost"))
  }
}
