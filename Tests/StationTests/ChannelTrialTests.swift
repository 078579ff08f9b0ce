import Basics
import Foundation
import TestSupport
import Testing

@Suite("Trials with other quantities than the heart's")
struct ChannelTrialTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  private static let studyProtocol = """
    {"format":"station.protocol/1","identifier":"Skin","version":"1","steps":[
      {"kind":"rest","identifier":"rest","stepDuration":1.5,"recorderConfigurations":[
        {"identifier":"hr","quantityType":"heartRate"},{"identifier":"skin","quantityType":"skinConductance"},
        {"identifier":"breath","quantityType":"respiratoryRate"}]}]}
    """

  // Four lines a second; one has an interval that no heart can have, all a key that names no channel.
  private static let script = """
    for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
    do echo "{\\"hr\\":60,\\"rr\\":[40],\\"skinConductance_uS\\":2.$n,\\"battery\\":80}"; sleep 0.25
    done
    sleep 60
    """

  @Test("One sensor's heart and skin and a simulated breath go from the lines to bundle, store, analysis and chart")
  func whole() async throws {
    try bench.write(Self.studyProtocol, to: "skin.json")
    try bench.write(Self.script, to: "wrist.sh")
    let words = [
      "run", "skin.json", "--participant", "p1", "--unattended", "--speaker", "silent", "--results", "results",
      "--sensor", "heartRate=lines:exec:bash wrist.sh", "--sensor", "skinConductance=lines:exec:bash wrist.sh",
      "--sensor", "respiratoryRate=simulated",
    ]
    let run = try await Turns.trials.take { try await bench.run(words) }
    let bundle = try #require(bench.bundles().last, "\(run.output)\(run.complaints)")
    #expect(try await bench.run(["verify", bundle]).status == 0)
    let recordings = try #require(bench.result(bundle)["recordings"]?.array)
    #expect(recordings.map { $0["file"]?.string } == ["data/heart.json", "data/skin.json", "data/breath.json"])
    #expect(recordings.allSatisfy { ($0["samples"]?.integer ?? 0) > 0 })
    #expect(recordings[2]["nominalRate_Hz"]?.number == 4 && recordings[1]["nominalRate_Hz"] == .null)
    let caveats = try #require(bench.result(bundle)["caveats"]?.array).map { $0["caveat"]?.string }
    #expect(caveats.contains("linesSkipped") && caveats.count { $0 == "sensorNoted" } == 1)

    let added = try await bench.run(["store", "add", bundle, "--store", "s.sqlite"])
    #expect(added.status == 0, "\(added.complaints)")
    let query = try await bench.run(["query", "skinConductance", "--store", "s.sqlite", "--json"])
    #expect(query.status == 0 && query.output.contains("mcS"), "\(query.output)\(query.complaints)")

    let shown = try await bench.run(["show", bundle, "--recorder", "skin"])
    let skin = try String(contentsOfFile: "\(bundle)/data/skin.json", encoding: .utf8)
    #expect(shown.status == 0 && shown.output == "clip name: none\n\(skin)")
    let unknown = try await bench.run(["show", bundle, "--recorder", "skim"])
    #expect(unknown.status == 1 && unknown.complaints.contains("did you mean “skin”?"))

    let analysed = try await bench.run(["analyse", bundle, "--json", "--recorder", "skin"])
    let channel = try #require(JSONReader.read(Array(analysed.output.utf8)).value["channels"]?.array?.first)
    #expect(channel["quantityType"]?.string == "electrodermalActivity" && channel["unit"]?.string == "mcS")
    #expect((2...3).contains(channel["measures"]?["mean"]?.number ?? 0))

    let many = try await bench.run([
      "analyse", "results", "--csv", "--recorder", "skin", "--measure", "mean", "--window", "whole", "--include",
      "simulated",
    ])
    let row = try #require(
      many.output.split(separator: "\n").last?.split(separator: ",", omittingEmptySubsequences: false))
    let whole = try await bench.run(["analyse", bundle, "--json", "--recorder", "skin", "--window", "whole"])
    let mean = try #require(
      JSONReader.read(Array(whole.output.utf8)).value["channels"]?.array?.first?["measures"]?["mean"])
    #expect(many.status == 0 && row.contains("skin") && row.contains("mcS"), "\(many.complaints)")
    #expect(row.contains { Double($0) == mean.number })
    let groups = try await bench.run([
      "analyse", "results", "--recorder", "skin", "--by", "condition", "--window", "whole", "--include", "simulated",
    ])
    #expect(groups.status == 0 && groups.output.contains("slope, mcS/min"), "\(groups.output)\(groups.complaints)")

    let chart = try await bench.run(
      ["chart", "recording", bundle, "--recorder", "skin", "--output", bench.scratch["skin.svg"]])
    #expect(chart.status == 0, "\(chart.complaints)")
    let svg = try String(contentsOf: URL(filePath: bench.scratch["skin.svg"]), encoding: .utf8)
    #expect(svg.contains("Skin conductance (mcS)"))
    let report = try await bench.run(["report", bundle, "--output", bench.scratch["skin.html"]])
    #expect(report.status == 0, "\(report.complaints)")
    let html = try String(contentsOf: URL(filePath: bench.scratch["skin.html"]), encoding: .utf8)
    #expect(html.contains("Respiratory rate, by the recorder") && html.contains("Skin conductance, by the recorder"))
  }
}
