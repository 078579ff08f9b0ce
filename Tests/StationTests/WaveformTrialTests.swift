import Basics
import Foundation
import TestSupport
import Testing

@Suite("Trials with a waveform")
struct WaveformTrialTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  private static let studyProtocol = """
    {"format":"station.protocol/1","identifier":"Wave","version":"1","steps":[
      {"kind":"rest","identifier":"rest","stepDuration":1.5,"recorderConfigurations":[
        {"identifier":"ecg","quantityType":"electrocardiogram"},
        {"identifier":"pulse","quantityType":"photoplethysmogram","settle_s":1},
        {"identifier":"skin","quantityType":"skinConductance"}]}]}
    """

  // Ten lines a second with two leads at 100 Hz, whose values are the numbers of the frames and their negatives.
  private static let script = """
    import json, sys, time
    start, frame = time.monotonic(), 0
    while True:
        values = [[f / 1000, -f / 1000] for f in range(frame, frame + 10)]
        frame += 10
        time.sleep(max(0, start + frame / 100 - time.monotonic()))
        line = {"electrocardiogram": values, "samplingRate": 100, "skinConductance": 2 + frame / 1e6}
        print(json.dumps(line), flush=True)
    """

  @Test(
    "One sensor's electrocardiogram and skin and a simulated pulse go from the lines to bundle, list, chart and report")
  func whole() async throws {
    try bench.write(Self.studyProtocol, to: "wave.json")
    try bench.write(Self.script, to: "ecg.py")
    let sensor = "lines:exec:\(Repository.python) ecg.py"
    let words = [
      "run", "wave.json", "--participant", "p1", "--unattended", "--speaker", "silent", "--results", "results",
      "--sensor", "electrocardiogram=\(sensor)", "--sensor", "skinConductance=\(sensor)",
      "--sensor", "photoplethysmogram=simulated", "--repeat", "2", "--store", "s.sqlite",
    ]
    let run = try await Turns.trials.take { try await bench.run(words) }
    #expect(bench.bundles().count == 2, "\(run.output)\(run.complaints)")
    let bundle = try #require(bench.bundles().last)
    #expect(try await bench.run(["verify", "results"]).status == 0)
    let recordings = try #require(bench.result(bundle)["recordings"]?.array)
    #expect(
      recordings.map { $0["file"]?.string } == [
        "data/waveforms/ecg.blocks", "data/waveforms/pulse.blocks", "data/skin.json",
      ])
    #expect(recordings.map { $0["nominalRate_Hz"]?.number } == [100, 250, nil])
    for recording in recordings { #expect(recording["coverage"]?.number ?? 0 > 0.9, "\(recording.text())") }
    try checkFrames(of: bundle)
    let ecg = try await bench.run(["show", bundle, "--recorder", "ecg"])
    try check(ecg.output, of: recordings[0], with: Self.reader, bundle)

    let analysed = try await bench.run(["analyse", bundle, "--recorder", "ecg"])
    #expect(analysed.status == 1 && analysed.complaints.contains("is a waveform"))
    let chart = try await bench.run(
      ["chart", "recording", bundle, "--recorder", "ecg", "--output", bench.scratch["ecg.svg"]])
    #expect(chart.status == 0, "\(chart.complaints)")
    let svg = try String(contentsOf: URL(filePath: bench.scratch["ecg.svg"]), encoding: .utf8)
    #expect(svg.contains("Electrocardiogram (mV)"))
    let report = try await bench.run(["report", bundle, "--output", bench.scratch["ecg.html"]])
    #expect(report.status == 0, "\(report.complaints)")
    let html = try String(contentsOf: URL(filePath: bench.scratch["ecg.html"]), encoding: .utf8)
    #expect(html.contains("Electrocardiogram, by the recorder") && html.contains("Photoplethysmogram, by the recorder"))
    let types = try await bench.run(["query", "skinConductance", "--store", "s.sqlite", "--limit", "1"])
    #expect(types.status == 0, "\(types.complaints)")
  }

  /// The program of the article, which needs no package.
  private static var reader: String {
    get throws {
      let article = try String(
        contentsOfFile: "\(Repository.root)/Sources/station/Station.docc/ReadingABundle.md", encoding: .utf8)
      let blocks = article.components(separatedBy: "```python\n").dropFirst().map {
        $0.components(separatedBy: "\n```")[0]
      }
      return try #require(blocks.first { $0.contains("array.array") })
    }
  }

  /// Holds what the article's program prints against `station show`.
  private func check(_ shown: String, of recording: JSONValue, with program: String, _ bundle: String) throws {
    let lines = shown.split(separator: "\n")
    #expect(lines.prefix(2) == ["clip name: none", "time_s,1_mV,2_mV"])
    let frames = lines.dropFirst(2).map { $0.split(separator: ",").compactMap { Double($0) } }
    #expect(frames.count == recording["samples"]?.integer && frames.allSatisfy { $0.count == 3 })
    // Frame after frame: nothing is missing, doubled or out of place.
    let numbers = frames.map { ($0[1] * 1000).rounded() }
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 })
    #expect(frames.allSatisfy { abs($0[1] + $0[2]) < 1e-6 })
    let read = try Program.run(Repository.python, ["-c", program, bundle, "ecg"], input: "")
    let others = read.output.split(separator: "\n").map { $0.split(separator: ",").compactMap { Double($0) } }
    let first = try #require(frames.first)
    let part = try #require(others.firstIndex { abs($0[0] - first[0]) < 2e-6 }, "\(read.error)")
    #expect(
      others.count > frames.count
        && zip(others[part...], frames).allSatisfy { zip($0, $1).allSatisfy { abs($0 - $1) < 2e-6 } })
  }

  /// Holds result and sidecars against their schemas, by PyPI's jsonschema.
  private func checkFrames(of bundle: String) throws {
    let script = """
      import json, sys
      from jsonschema import Draft202012Validator as Validator
      schema = json.load(open("\(Repository.root)/protocols/waveform.schema.json"))
      Validator.check_schema(schema)
      for name in ["ecg", "pulse"]:
          document = json.load(open(f"{sys.argv[1]}/data/waveforms/{name}.json"))
          for error in Validator(schema).iter_errors(document):
              print(name, error.json_path, error.message[:300])
          assert len(document["blocks"]) > 5 and document["damagedBlocks"] == 0
      schema = json.load(open("\(Repository.root)/protocols/result.schema.json"))
      Validator.check_schema(schema)
      for error in Validator(schema).iter_errors(json.load(open(f"{sys.argv[1]}/data/result.json"))):
          print("result", error.json_path, error.message[:300])
      """
    let run = try Program.run(Repository.python, ["-c", script, bundle], input: "")
    #expect(run.status == 0 && run.output.isEmpty, "\(run.output)\(run.error)")
  }
}
