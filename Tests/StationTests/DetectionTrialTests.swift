import Basics
import Foundation
import TestSupport
import Testing

/// Beats that are found in a finished trial's waveform, on the release binary.
@Suite("Heartbeats in the waveform of a bundle")
struct DetectionTrialTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  @Test("analyse --detect finds the beats that were derived while it was recorded, and a chart draws the wave")
  func detected() async throws {
    let recorders = [
      Bench.recorder("ecg", "electrocardiogram", "mV", settle: 1), Bench.recorder("rr", "rrInterval", "ms", settle: 1),
    ]
    try bench.write(Bench.music(seconds: 9, recorders: recorders, more: Bench.looped), to: "long.json")
    let sensor = "simulated:quantity=electrocardiogram,sampling_hz=250"
    let (status, output, complaints) = try await Turns.trials.take {
      try await bench.run(bench.trial(of: "long.json", sensors: ["ecg=\(sensor)", "rr=\(sensor)"]))
    }
    let bundle = try #require(bench.bundles().first, "\(status)\n\(output)\(complaints)")
    let analysis = try await bench.run(["analyse", "--detect", "--json", bundle])
    #expect(analysis.status == 0, "\(analysis)")
    let document = try JSONReader.read(Array(analysis.output.utf8)).value
    let detection = try #require(document["recordings"]?.array?.first?["detection"])
    #expect(detection["detector"]?.string == "pan-tompkins/2" && detection["rate_Hz"]?.number == 250)
    let beats = try #require(detection["beats"]?.integer)
    #expect((7...14).contains(beats))
    // The same detector found the beats live.
    let comparison = try #require(detection["comparison"])
    #expect(comparison["both"]?.integer ?? 0 >= beats - 2)
    #expect(comparison["differenceSD_ms"]?.number ?? .infinity < 1)
    let chart = try await bench.run(["chart", "recording", bundle, "--recorder", "ecg", "--output", "wave.svg"])
    #expect(chart.status == 0, "\(chart)")
    let picture = try String(contentsOfFile: "\(bench.path)/wave.svg", encoding: .utf8)
    #expect(picture.contains("<path") || picture.contains("<polyline"))
    try await correct(bundle, beats)
  }

  /// Corrections of the beats that were found count for these, and for no other version of the detector.
  private func correct(_ bundle: String, _ count: Int) async throws {
    func beats(_ words: [String] = []) async throws -> [JSONValue] {
      let run = try await bench.run(["corrections", bundle, "--beats", "--json"] + words)
      return try JSONReader.read(Array(run.output.utf8)).value["beats"]?.array ?? []
    }
    let found = try await beats(["--detect"])
    #expect(found.count == count)
    let time = (found[2]["t_ns"]?.number ?? 0) / 1e9
    let words = ["--author", "Rater A", "--reason", "T wave"]
    let made = try await bench.run(["corrections", bundle, "--detect", "--delete", "\(time)"] + words)
    #expect(made.status == 0, "\(made)")
    #expect(try await beats(["--detect"]).count == count - 1)
    // The sensor's own beats are another recorder's.
    let own = try await bench.run(["analyse", bundle, "--json"])
    #expect(!own.output.contains("Rater A"))
    let file = "\(bundle).corrections.jsonl"
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.contains("pan-tompkins/2") && text.contains("\"recorder\":\"ecg\""))
    try text.replacing("pan-tompkins/2", with: "pan-tompkins/1").write(
      toFile: file, atomically: true, encoding: .utf8)
    #expect(try await beats(["--detect"]).count == count)
    let analysis = try await bench.run(["analyse", bundle, "--detect"])
    #expect(analysis.output.contains("1 correction not used") && analysis.output.contains("pan-tompkins/1"))
    let listed = try await bench.run(["corrections", bundle])
    #expect(listed.output.contains("does not fit"))
  }
}
