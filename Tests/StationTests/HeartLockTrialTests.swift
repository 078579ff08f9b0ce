import Basics
import Foundation
import TestSupport
import Testing

@Suite("Trials whose sound follows a heartbeat")
struct HeartLockTrialTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  /// Plays an electrocardiogram of 250 Hz, so many samples a line, and writes down when its R peaks were, by the
  /// station's clock.
  private static let script = """
    import json, math, random, sys, time
    random.seed(4)
    out = open("beats.txt", "w")
    bells = [(-.16, .022, .12), (-.026, .008, -.12), (0, .011, 1.1), (.028, .010, -.25), (.30, .045, .30)]
    start, beats, frame = time.monotonic(), [0.5], 0
    while True:
        values = []
        for _ in range(int(sys.argv[1])):
            t = frame / 250
            while beats[-1] < t + 2:
                beats.append(beats[-1] + .85 + .04 * math.sin(2 * math.pi * .25 * beats[-1]) + random.gauss(0, .01))
                out.write(f"{start + beats[-1]:.6f}\\n")
                out.flush()
            near = [b for b in beats[-8:] if -.5 < t - b < 1]
            v = sum(h * math.exp(-.5 * ((t - b - p) / w) ** 2) for b in near for p, w, h in bells)
            values.append(round(v + random.gauss(0, .01), 4))
            frame += 1
        time.sleep(max(0, start + frame / 250 - time.monotonic()))
        print(json.dumps({"t": (frame - 1) / 250, "electrocardiogram": values, "samplingRate": 250}), flush=True)
    """

  private func words(_ beat: String, delay: Int, samplesALine: Int = 5) throws -> [String] {
    try bench.write(Self.script, to: "ecg.py")
    try bench.write(
      """
      { "format": "station.protocol/1", "identifier": "Lock", "version": "1", "clips": { "folder": "clips" },
        "recorderConfigurations": [
          { "identifier": "ecg", "quantityType": "electrocardiogram", "scope": "trial", "settle_s": 2 },
          { "identifier": "rr", "quantityType": "rrInterval", "scope": "trial", "settle_s": 2 }],
        "steps": [
          { "kind": "music", "identifier": "music", "clip": { "choose": "random" }, "stepDuration": 1.5,
            "onset": { "lockTo": "rPeak", "beat": "\(beat)", "delay_ms": \(delay) },
            "shouldStartTimerAutomatically": true, "shouldContinueOnFinish": true }] }
      """, to: "lock.json")
    let sensor = "lines:exec:\(Repository.python) ecg.py \(samplesALine)"
    return bench.trial(
      ["--speaker", "silent", "--unattended", "--repeat", "2"], of: "lock.json",
      sensors: ["electrocardiogram=\(sensor)", "rrInterval=\(sensor)"])
  }

  @Test(
    "The onset follows a true R peak at the delay, and the result says both delays",
    arguments: [("detected", 250, 0.006), ("detected", 70, 0.006), ("predicted", 250, 0.15)])
  func locked(beat: String, delay: Int, most: Double) async throws {
    let words = try words(beat, delay: delay)
    let (run, lateness) = try await Lateness.during { try await Turns.trials.take { try await bench.run(words) } }
    let bundles = bench.bundles()
    #expect(bundles.count == 2, "\(run.output)\(run.complaints)")
    let beats = try String(contentsOfFile: bench.scratch["beats.txt"], encoding: .utf8)
      .split(separator: "\n").compactMap { Double($0) }
    for bundle in bundles {
      #expect(try await bench.run(["verify", bundle]).status == 0)
      let result = try bench.result(bundle)
      let lock = try #require(result["playback"]?["lock"], "\(run.complaints)")
      #expect(lock["heartbeat"]?["beat"]?.string == beat)
      #expect(lock["heartbeat"]?["delay_ns"] == .integer(delay * 1_000_000))
      try lateness.judge(result) {
        let zero = try #require(result["place"]?["zero_ns"]?.integer)
        let onset = try #require(result["playback"]?["onset"]?["t_ns"]?.integer)
        let time = Double(zero + onset) / 1e9 - Double(delay) / 1000
        let error = try #require(beats.map { time - $0 }.min { abs($0) < abs($1) })
        let told = try #require(lock["trueDelay_ns"]?.integer)
        let toldError = Double(told) / 1e9 - Double(delay) / 1000
        print(
          "\(beat): the onset is \((error * 1e6).rounded() / 1000) ms from its delay; told \((toldError * 1e6).rounded() / 1000) ms"
        )
        #expect(abs(error) < most && abs(error - toldError) < 0.005)
        #expect(lock["falseTriggers"]?.array == [] && lock["missedPeaks"]?.array == [])
      }
    }
  }

  @Test("A delay that is over when the R peak is known ends the trial with what is possible")
  func tooShort() async throws {
    // Lines of 200 ms.
    let words = try words("detected", delay: 50, samplesALine: 50)
    let run = try await Turns.trials.take { try await bench.run(words) }
    #expect(
      run.status != 0 && (run.output + run.complaints).contains("set delay_ms to"), "\(run.output)\(run.complaints)")
  }

  @Test("An onset that follows heartbeats which no recorder records is refused with its place")
  func unrecorded() async throws {
    _ = try words("detected", delay: 250)
    let text = try String(contentsOfFile: bench.scratch["lock.json"], encoding: .utf8)
    try bench.write(text.replacing("electrocardiogram", with: "skinConductance"), to: "lock.json")
    let run = try await bench.run(["validate", "lock.json"])
    #expect(run.status == 3 && run.complaints.contains("/steps/0/onset"), "\(run.output)\(run.complaints)")
  }
}
