import Basics
import Foundation
import TestSupport
import Testing

// One browser at a time: each keeps a processor busy, which the trials beside it need.
@Suite("The participant's page, in a browser", .serialized)
struct PageTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  /// How long a walk may take beside other trials, in seconds.
  private static let patience = 300.0

  private static let study = """
    { "format": "station.protocol/1", "identifier": "Kinds", "version": "1", "clips": { "folder": "clips" },
      "steps": [
        { "kind": "instruction", "identifier": "hello", "title": "Welcome", "text": "You will hear music." },
        { "kind": "consent", "identifier": "consent", "title": "Consent", "version": "1", "signature": false,
          "sections": [{ "title": "Purpose", "text": "We measure hearts." }] },
        { "kind": "volume", "identifier": "volume", "title": "How loud?", "step_dB": 3, "start_dB": -12 },
        { "kind": "headphoneCheck", "identifier": "check", "title": "Headphones", "rounds": 2, "maxErrors": 1, "attempts": 1 },
        { "kind": "form", "identifier": "about", "title": "About you", "questions": [
          { "identifier": "age", "kind": "integer", "prompt": "How old are you?", "minimum": 18, "unit": "years" },
          { "identifier": "born", "kind": "date", "prompt": "When were you born?" },
          { "identifier": "rose", "kind": "time", "prompt": "When did you get up?" },
          { "identifier": "coffee", "kind": "boolean", "prompt": "Coffee today?" },
          { "identifier": "hand", "kind": "choice", "prompt": "Which hand?", "choices": ["left", "right"] },
          { "identifier": "likes", "kind": "choices", "prompt": "What do you like?",
            "choices": ["jazz", "folk", "rock"], "maximum": 2 },
          { "identifier": "more", "kind": "text", "prompt": "Anything else?", "required": false },
          { "identifier": "mood", "kind": "scale", "prompt": "How are you?", "minimum": 1, "maximum": 9,
            "anchors": { "1": "bad", "9": "well" } },
          { "identifier": "tense", "kind": "visualAnalogue", "prompt": "How tense are you?",
            "anchors": { "0": "not at all", "100": "very" } } ] },
        { "kind": "form", "identifier": "figures", "title": "Which figure is like you?", "allowsBackNavigation": true,
          "questions": [
            { "identifier": "valence", "kind": "choice", "prompt": "How pleasant?", "choices": [
              { "value": "1", "picture": { "file": "figures/valence-1.png", "alt": "unpleasant" } },
              { "value": "5", "picture": { "file": "figures/valence-5.png", "alt": "pleasant" } } ] },
            { "identifier": "arousal", "kind": "choice", "prompt": "And how excited?", "choices": [
              { "value": "1", "text": "calm", "picture": { "file": "figures/arousal-1.png", "alt": "calm face" } },
              { "value": "5", "text": "excited", "picture": { "file": "figures/arousal-5.png", "alt": "excited face" } } ] } ] },
        { "kind": "form", "identifier": "whole", "title": "All at once", "layout": "page", "questions": [
          { "identifier": "age2", "kind": "integer", "prompt": "How old?", "minimum": 18 },
          { "identifier": "hand2", "kind": "choice", "prompt": "Which hand?", "choices": ["left", "right"] },
          { "identifier": "mood2", "kind": "scale", "prompt": "How are you?", "minimum": 1, "maximum": 9 },
          { "identifier": "tense2", "kind": "visualAnalogue", "prompt": "How tense?",
            "anchors": { "0": "not at all", "100": "very" } },
          { "identifier": "more2", "kind": "text", "prompt": "Anything else?", "required": false } ] },
        { "kind": "countdown", "identifier": "count", "title": "Get ready", "stepDuration": 3,
          "shouldStartTimerAutomatically": true, "shouldContinueOnFinish": true },
        { "kind": "music", "identifier": "music", "title": "Listen", "clip": { "choose": "random" }, "stepDuration": 2,
          "picture": { "file": "figures/valence-5.png", "alt": "a happy face", "width_mm": 60, "with": "sound" },
          "shouldStartTimerAutomatically": true, "shouldContinueOnFinish": true,
          "recorderConfigurations": [
            { "identifier": "liking", "quantityType": "continuousRating", "settle_s": 0.1,
              "anchors": { "0": "less", "100": "more" } } ] },
        { "kind": "completion", "identifier": "end", "title": "Thank you" } ] }
    """

  /// A walk takes a minute; the other two are run by `Scripts/torture devices`.
  private static let devices = [("keyboard", "key"), ("mouse", "pointer"), ("touch", "touch")]
    .prefix(ProcessInfo.processInfo.environment["STATION_DEVICES"] == nil ? 1 : 3)

  @Test(
    "A whole study is done with the keyboard alone, the mouse alone and by touch alone, with the same answers",
    arguments: devices)
  func walks(device: String, recorded: String) async throws {
    try bench.write(Self.study, to: "kinds.json")
    try FileManager.default.createDirectory(atPath: "\(bench.path)/results", withIntermediateDirectories: false)
    try bench.write(
      #"""
      { "format": "station.settings/1",
        "monitor": { "delay_ms": 20, "uncertainty_ms": 5, "width_mm": 320, "date": "2026-11-30" } }
      """#, to: "results/station.json")
    try FileManager.default.copyItem(
      atPath: "\(Repository.root)/protocols/figures", toPath: "\(bench.path)/figures")
    let (child, walk) = try await Turns.trials.take {
      let child = try bench.start(
        ["run", "kinds.json", "--participant", "p1", "--sensor", "liking=keys", "--speaker", "silent", "--page"],
        input: .nothing, patience: Self.patience)
      try await child.output.wait(for: "participant.html") {}
      let door = try #require(child.output.text.firstMatch(of: /open (\S+participant\.html)/)?.output.1)
      // What a browser computes has no place before the trials of other tests.
      let walk = try Child(
        "/usr/bin/nice",
        ["-n", "19", Repository.python, "\(Repository.root)/Tests/StationTests/Page/walk.py", String(door), device],
        in: bench.path, patience: Self.patience)
      #expect(await walk.end() == 0, "\(walk.complaints.text)")
      #expect(await child.end() == 0, "\(child.output.text)\(child.complaints.text)")
      return (child, walk)
    }
    let report = try JSONReader.read(Array(walk.output.text.utf8)).value
    #expect(report["wrong"] == [], "\(walk.output.text)")
    let result = try bench.result(try #require(bench.bundles().first))
    let answers = result["answers"]?.array ?? []
    let expected: [String: JSONValue] = [
      "agreement": true, "age": 42, "born": "1990-02-28", "rose": "07:30", "coffee": true, "hand": "right",
      "likes": ["jazz", "folk"], "mood": 7, "tense": 70, "valence": "5", "arousal": "5", "age2": 42, "hand2": "right",
      "mood2": 7, "tense2": 70,
    ]
    for (question, value) in expected {
      let answer = answers.first { $0["question"]?.string == question }
      #expect(answer?["value"] == value, "\(question): \(answer?.text() ?? "no answer")")
      #expect(answer?["input"]?["device"]?.string == recorded, "\(answer?.text() ?? "")")
      let input = answer?["input"]
      let uncertainties = ["painted", "made"].map { input?[$0]?["uncertainty_ns"]?.number ?? 0 }
      #expect(uncertainties.allSatisfy { $0 > 0 }, "\(answer?.text() ?? "")")
    }
    #expect(answers.count == expected.count, "\(answers.map { $0.text() })")
    #expect(answers.first { $0["question"] == "valence" }?["revised"] == 1)
    let screens = result["screens"]?.array ?? []
    let music = screens.first { $0["step"] == "music" && !($0["pictures"]?.array?.isEmpty ?? true) }
    #expect(music?["pictures"]?.array?.first?["file"] == "figures/valence-5.png")
    // The monitor has 1280 pixels.
    #expect((music?["pictures"]?.array?.first?["size"]?["width_px"]?.number ?? 0).rounded() == 240)
    #expect((music?["pictures"]?.array?.first?["size"]?["width_mm"]?.number ?? 0).rounded() == 60)
    #expect(result["monitor"]?["delay"] == ["median_ns": 20_000_000, "uncertainty_ns": 5_000_000])
    #expect(screens.count { $0["question"] == "valence" && $0["pictures"]?.array?.count == 2 } == 2)
    // A picture comes with the sound, as far as two processors that are busy let a browser paint in time.
    let onset = result["playback"]?["onset"]?["t_ns"]?.number ?? 0
    #expect(((music?["painted"]?["t_ns"]?.number ?? 0) - onset).magnitude < 500e6)
    let caveats = result["caveats"]?.array ?? []
    #expect(caveats.contains { $0["caveat"] == "pageReloaded" && $0["times"] == 1 }, "\(caveats.map { $0.text() })")
    let complaints = child.complaints.lines.filter { $0.hasPrefix("station: ") }
    #expect(complaints == ["station: the participant's page was loaded again"])
    let exported = try await bench.run(["export", "table", "results", "--to", "tables"])
    #expect(exported.status == 0, "\(exported.complaints)")
    let rows = try File.contents(of: bench.scratch["tables/screens.csv"], limit: 1 << 20).split(separator: 0x0A)
    let pictures = screens.reduce(0) { $0 + max($1["pictures"]?.array?.count ?? 0, 1) }
    #expect(rows.count == pictures + 1)
  }

  @Test(
    "What was recorded of a participant who stops is kept, or discarded where the consent says so",
    arguments: [("keep", 1, 4), ("discard", 0, 1)])
  func stops(whenStopped: String, kept: Int, status: Int32) async throws {
    try bench.write(
      """
      { "format": "station.protocol/1", "identifier": "P", "version": "1", "clips": { "folder": "clips" },
        "steps": [
          { "kind": "consent", "identifier": "consent", "title": "Consent", "version": "1", "signature": false,
            "whenStopped": "\(whenStopped)", "sections": [{ "title": "Purpose", "text": "We measure hearts." }] },
          { "kind": "rest", "identifier": "rest", "title": "Rest", "stepDuration": 600 } ] }
      """, to: "p.json")
    try await Turns.trials.take {
      let child = try bench.start(
        ["run", "p.json", "--participant", "p1", "--speaker", "silent", "--page"], input: .nothing)
      try await child.output.wait(for: "participant.html") {}
      let door = try #require(child.output.text.firstMatch(of: /open (\S+participant\.html)/)?.output.1)
      let participant = try Child(
        Repository.python, ["\(Repository.root)/Tests/StationTests/Page/stop.py", String(door), "Consent"],
        in: bench.path, input: .pipe)
      try await participant.output.wait(for: "asked to stop") { child.send(SIGINT) }
      #expect(await child.end() == status, "\(child.output.text)\(child.complaints.text)")
      participant.send(SIGTERM)
      _ = await participant.end()
      #expect(bench.bundles().count == kept)
      for bundle in bench.bundles() { #expect(try bench.result(bundle)["outcome"] == "stopped") }
      #expect(bench.names(in: "results/open").filter { !$0.hasPrefix(".") } == [])
      #expect(child.complaints.text.contains("station withdraw p1") == (kept == 0), "\(child.complaints.text)")
    }
  }

  @Test(
    "A language that no font has letters for is told, and one that cannot be looked for",
    arguments: [("printf ''", "no font of this computer"), ("exit 1", "fc-list failed"), ("echo Noto", nil)])
  func fonts(program: String, complaint: String?) async throws {
    try bench.write("#!/bin/sh\n\(program)\n", to: "fc-list")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(bench.path)/fc-list")
    try bench.write(
      """
      { "format": "station.protocol/1", "identifier": "P", "version": "1", "language": "zh",
        "steps": [{ "kind": "instruction", "identifier": "hello", "title": "欢迎" }] }
      """, to: "zh.json")
    let path = "\(bench.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
    let child = try bench.start(
      ["run", "zh.json", "--participant", "p1", "--page"], input: .nothing, environment: ["PATH": path])
    try await child.output.wait(for: "participant.html") { child.send(SIGTERM) }
    _ = await child.end()
    let told = child.complaints.lines.filter { $0.contains("font") || $0.contains("fc-list") }
    #expect(told.count == (complaint == nil ? 0 : 1) && told.allSatisfy { $0.contains(complaint ?? "") }, "\(told)")
  }
}
