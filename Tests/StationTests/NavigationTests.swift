import Basics
import Bundles
import Foundation
import Study
import TestSupport
import Testing

/// Whole trials whose answers decide what comes next.
@Suite("The way through a trial")
struct NavigationTests {
  let bench: Bench

  init() throws {
    bench = try Bench()
    try bench.write(Self.study, to: "study.json")
  }

  private static let study = """
    { "format": "station.protocol/1", "identifier": "Ways", "version": "1.0", "clips": { "folder": "clips" }, "steps": [
        { "kind": "instruction", "identifier": "explanation", "title": "Read this" },
        { "kind": "form", "identifier": "you", "title": "You", "questions": [
          { "kind": "boolean", "identifier": "ready", "prompt": "Did you understand" },
          { "kind": "text", "identifier": "doubt", "prompt": "What was unclear",
            "skipWhen": { "answer": "you.ready", "is": true } },
          { "kind": "boolean", "identifier": "hears", "prompt": "Do you hear well" } ],
          "navigation": [ { "when": { "answer": "you.ready", "is": false }, "goTo": "explanation" } ] },
        { "kind": "music", "identifier": "music", "title": "Listen", "clip": { "name": "high" }, "stepDuration": 1,
          "shouldStartTimerAutomatically": true, "shouldContinueOnFinish": true,
          "skipWhen": { "answer": "you.hears", "is": false },
          "recorderConfigurations": [ { "identifier": "heart", "quantityType": "heartRate" } ] },
        { "kind": "completion", "identifier": "end", "title": "Thanks" } ] }

    """

  private func record(_ child: Child) async throws -> TrialRecord {
    let bundles = bench.bundles()
    try #require(bundles.count == 1, "\(child.output.text)\(child.complaints.text)")
    #expect(try await bench.run(["verify", bundles[0]]).status == 0)
    return try Bundles.Bundle(bundles[0]).record
  }

  @Test("What was not understood is shown and asked again, and who cannot hear gets no music, in a good trial")
  func again() async throws {
    let child = try await Turns.trials.take {
      let child = try bench.start(
        bench.trial(["--speaker", "silent", "--no-sensor-check"], of: "study.json"), input: .terminal)
      child.answer([
        ("Read this", "\n"), ("Did you understand", "2\n"), ("What was unclear", "stop, please\n"),
        ("Do you hear well", "1\n"),
      ])
      try await child.output.wait(for: "Read this", times: 2) { child.type("\n") }
      try await child.output.wait(for: "Did you understand", times: 2) { child.type("1\n") }
      try await child.output.wait(for: "Do you hear well", times: 2) { child.type("2\n") }
      child.answer([("Thanks", "\n"), ("This is the end", "\u{10}")])
      #expect(await child.end() == 0)
      return child
    }
    let record = try await record(child)
    #expect(record.steps.map(\.identifier) == ["explanation", "you", "explanation", "you", "end"])
    #expect(record.steps.allSatisfy { $0.end == .finished })
    #expect(
      record.answers.map { "\($0.question) \($0.value)" } == [
        "ready no", "doubt stop, please", "hears yes", "ready yes", "hears no",
      ])
    #expect(record.answers.map(\.answered) == record.answers.map(\.answered).sorted())
    #expect(record.verdict == .good && record.informativeCaveats.contains(.neverStarted(recorder: "heart")))
    #expect(record.playback?.onset == nil && record.playback?.segments == [])
  }

  @Test("Without a person every rule sees missing answers: the music is played")
  func unattended() async throws {
    let child = try await Turns.trials.take {
      let child = try bench.start(bench.trial(["--speaker", "silent", "--unattended"], of: "study.json"))
      #expect(await child.end() == 4)
      return child
    }
    let record = try await record(child)
    #expect(record.steps.map(\.identifier) == ["explanation", "you", "music", "end"])
    #expect(
      record.reasons == ["ready", "doubt", "hears"].map { .unanswered(step: "you", question: $0) }, "\(record.reasons)")
  }
}
