import Foundation
import TestSupport
import Testing

@Suite("Steps around the trials of a session")
struct AroundTrialsTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  @Test(
    "that have other recorders are no problem where a recorder of the trials is chosen, and are not reported one by one",
    arguments: [
      ["analyse", "r", "--measure", "meanHeartRate", "--by", "condition", "--recorder", "heartRate"],
      ["report", "r", "--output", "r.html", "--recorder", "heartRate"],
      ["chart", "response", "r", "--output", "r.svg", "--recorder", "heartRate", "--baseline", "none"],
      ["chart", "response", "r", "--output", "r.svg"], ["chart", "range", "r", "--output", "r.svg"],
      ["chart", "range", "r", "--output", "r.svg", "--recorder", "heartRate"],
    ])
  func recorders(words: [String]) async throws {
    let study = "\(Repository.root)/protocols/music-and-silence.json"
    let simulated = try await bench.run(["simulate", study, "--participants", "2", "--seed", "3", "--results", "r"])
    try #require(simulated.status == 0, "\(simulated.complaints)")
    let (status, output, complaints) = try await bench.run(words)
    #expect(status == 0, "\(output)\(complaints)")
    #expect(!complaints.contains("heartRate”") && !complaints.contains("left out:"), "\(complaints)")
  }

  @Test(
    "are read as the trials are: detected beats are compared with detected ones, and those of a bad part are left out")
  func detected() async throws {
    func step(_ kind: String, _ name: String, _ recorder: String) -> [String: Any] {
      [
        "kind": kind, "identifier": name, "title": "x", "stepDuration": 40, "shouldStartTimerAutomatically": true,
        "shouldContinueOnFinish": true,
        "recorderConfigurations": [["identifier": recorder, "quantityType": "electrocardiogram"]],
      ]
    }
    var stimulus = step("music", "stimulus", "ecg")
    stimulus["clip"] = ["choose": "condition"]
    let conditions = ["a", "b"].map { ["name": $0, "clips": "silence"] }
    let document: [String: Any] = [
      "format": "station.protocol/1", "identifier": "p", "version": "1.0", "title": "P",
      "clips": ["folder": "clips"],
      "steps": [
        step("rest", "calm", "calmEcg"),
        [
          "kind": "trials", "identifier": "t", "steps": [stimulus],
          "design": ["conditions": conditions, "order": "balancedLatinSquare"],
        ],
      ],
    ]
    try JSONSerialization.data(withJSONObject: document).write(to: URL(fileURLWithPath: "\(bench.path)/p.json"))
    let simulated = try await bench.run(["simulate", "p.json", "--participants", "1", "--seed", "3", "--results", "r"])
    try #require(simulated.status == 0, "\(simulated.complaints)")
    let words = ["analyse", "r", "--detect", "--measure", "meanHeartRate", "--baseline", "step:calm", "--json"]
    func rows() async throws -> [[String: Any]] {
      let answer = try await bench.run(words)
      #expect(answer.status == 0, "\(answer.complaints)")
      let document = try JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [String: Any]
      let rows = document?["rows"] as? [[String: Any]] ?? []
      return rows.filter { $0["condition"] is String && $0["clip"] != nil && $0["position"] is Int }
    }
    let good = try await rows()
    #expect(good.count == 2 && good.allSatisfy { $0["change"] is Double && $0["baseline"] is Double }, "\(good)")
    for name in bench.names(in: "r/bundles") {
      let path = "\(bench.path)/r/bundles/\(name)/data/result.json"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      guard text.contains("calmEcg") else { continue }
      try text.replacing("\"verdict\": \"good\"", with: "\"verdict\": \"bad\"").write(
        toFile: path, atomically: true, encoding: .utf8)
    }
    let bad = try await rows()
    #expect(bad.count == 2 && bad.allSatisfy { !($0["change"] is Double) }, "\(bad)")
    #expect(bad.allSatisfy { ($0["reason"] as? String)?.contains("bad") == true }, "\(bad)")
  }
}
