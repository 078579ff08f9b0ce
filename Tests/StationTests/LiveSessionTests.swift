import Basics
import Bundles
import Quantities
import TestSupport
import Testing

@Suite("Following a session from trial to trial")
struct LiveSessionTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  private static let study = """
    { "format": "station.protocol/1", "identifier": "Pieces", "version": "1", "steps": [
      { "kind": "instruction", "identifier": "welcome" },
      { "kind": "trials", "identifier": "pieces",
        "design": { "order": "fixed", "conditions": [{ "name": "dark", "clips": "silence" }, { "name": "light", "clips": "silence" }] },
        "steps": [
          { "kind": "rest", "identifier": "before", "title": "Rest", "stepDuration": 3 },
          { "kind": "form", "identifier": "feeling", "title": "How was it?", "question": { "kind": "boolean" } } ] },
      { "kind": "completion", "identifier": "end" } ] }
    """

  /// A part of a session: one of its trials, or what lies around them.
  private func part(
    _ number: Int?, of session: String, participant: String = "p1", at milliseconds: Int64 = 0
  ) throws -> RecordedTrial {
    let wall = MonotonicClock().wallReading().wall
    return try RecordedTrial(
      in: bench.scratch["results"], participant: participant,
      at: WallTime(milliseconds: wall.milliseconds + milliseconds),
      place: SessionPlace(run: session, trial: number, trials: 2, boot: nil, zero: .zero),
      condition: number.map { $0 == 1 ? "dark" : "light" }, of: Self.study)
  }

  private func finish(_ part: RecordedTrial, _ outcome: Outcome = .completed) async throws -> String {
    part.append(99, .trialClosed(TrialClosing(outcome: outcome, reason: nil, calendar: nil)))
    return String(try await part.open.finish().suffix(36))
  }

  enum Start: CaseIterable { case before, around, during, between }

  @Test("One view shows a session's trials one after the other, whenever it was started", arguments: Start.allCases)
  func follows(start: Start) async throws {
    var live: Child?
    func view(_ moment: Start) throws {
      if moment == start { live = try bench.start(["show", "--live"] + (start == .before ? ["--wait"] : [])) }
    }
    try view(.before)
    if start == .before { try await #require(live).output.wait(for: "waiting for a trial") }
    let around = try part(nil, of: "run")
    around.append(1, .stepStarted(step: "pieces"))
    try view(.around)
    if let live { try await live.output.wait(for: "step 2 of 3, pieces") }
    let first = try part(1, of: "run", at: 1)
    first.append(1, .stepStarted(step: "before"))
    try view(.during)
    if let live { try await live.output.wait(for: "trial 1 of 2, condition dark") }
    if let live { try await live.output.wait(for: "step 1 of 2, before: Rest") }
    let firstBundle = try await finish(first)
    try view(.between)
    let child = try #require(live)
    try await child.output.wait(for: "step 2 of 3, pieces")
    if start != .between { try await child.output.wait(for: firstBundle) }
    let second = try part(2, of: "run", at: 2)
    second.append(1, .stepStarted(step: "feeling"))
    try await child.output.wait(for: "trial 2 of 2, condition light")
    try await child.output.wait(for: "step 2 of 2, feeling: How was it?")
    let secondBundle = try await finish(second)
    try await child.output.wait(for: "bundle: results/bundles/\(secondBundle)")
    let bundle = try await finish(around)
    #expect(await child.end() == 0, "\(child.complaints.text)")
    #expect(child.output.text.hasSuffix("bundle: results/bundles/\(bundle)\n"))
    #expect(child.output.text.contains("trial 1 of 2") == (start != .between))
  }

  @Test("On a terminal both the step around the trials and the trial's own are shown, with its condition")
  func screen() async throws {
    let around = try part(nil, of: "run")
    around.append(1, .stepStarted(step: "pieces"))
    let live = try bench.start(["show", "--live"], input: .terminal)
    try await live.output.wait(for: "step 2 of 3, pieces")
    let trial = try part(1, of: "run", at: 1)
    trial.append(1, .stepStarted(step: "feeling"))
    try await live.output.wait(for: "step 2 of 3, pieces; trial 1 of 2, condition dark")
    try await live.output.wait(for: "step 2 of 2, feeling: How was it?")
    _ = try await finish(trial, .stopped)
    try await live.output.wait(for: "verdict: bad: ")
    _ = try await finish(around)
    #expect(await live.end() == 0, "\(live.output.text)")
  }

  @Test("Trials without steps around them are one session too, which ends with its last trial or when it is stopped")
  func repeated() async throws {
    for outcome in [Outcome.completed, .stopped] {
      let first = try part(1, of: "run \(outcome)")
      let live = try bench.start(["show", "--live"])
      try await live.output.wait(for: "trial 1 of 2")
      var last = try await finish(first, outcome)
      if outcome == .completed {
        try await live.output.wait(for: last)
        let second = try part(2, of: "run \(outcome)", at: 1)
        try await live.output.wait(for: "trial 2 of 2")
        last = try await finish(second)
      }
      #expect(await live.end() == 0, "\(live.complaints.text)")
      #expect(live.output.text.hasSuffix("\(last)\n"))
    }
  }

  @Test("Of several sessions one is named by its participant or identifier", arguments: ["p2", "other"])
  func several(name: String) async throws {
    let one = try part(nil, of: "one")
    let other = try part(nil, of: "other", participant: "p2", at: 1)
    let trial = try part(1, of: "other", participant: "p2", at: 2)
    let refused = try await bench.run(["show", "--live"])
    #expect(refused.status == 1)
    for part in ["2 sessions are running", "one  Short, participant p1", "other  Short, participant p2"] {
      #expect(refused.complaints.contains(part), "\(refused.complaints)")
    }
    let unknown = try await bench.run(["show", "--live", "p3"])
    #expect(unknown.status == 1 && unknown.complaints.contains("other  Short, participant p2"))
    let live = try bench.start(["show", "--live", name])
    try await live.output.wait(for: "trial 1 of 2, condition dark")
    _ = try await finish(trial, .stopped)
    _ = try await finish(other, .stopped)
    #expect(await live.end() == 0, "\(live.complaints.text)")
    #expect(!live.output.text.contains("participant p1"))
    try await one.open.discard()
  }

  @Test("A session that is really run is followed through all of its trials to its last bundle")
  func real() async throws {
    let active = #""shouldStartTimerAutomatically": true, "shouldContinueOnFinish": true,"#
    let study = Self.study.replacing(
      #""stepDuration": 3"#,
      with:
        #"\#(active) "stepDuration": 0.5, "recorderConfigurations": [\#(Bench.recorder("hr", "heartRate", "count/min"))]"#
    )
    try bench.write(study, to: "study.json")
    let (live, run) = try await Turns.trials.take {
      let live = try bench.start(["show", "--live", "--wait"])
      try await live.output.wait(for: "waiting for a trial")
      return (live, try await bench.run(bench.trial(["--unattended"], of: "study.json")))
    }
    #expect([0, 4].contains(run.status), "\(run.complaints)")
    #expect(await live.end() == 0, "\(live.complaints.text)")
    let text = live.output.text
    for part in [
      "trial 1 of 2, condition ", "trial 2 of 2, condition ", "step 1 of 2, before: Rest", "step 3 of 3, end",
    ] {
      #expect(text.contains(part), "\(part): \(text)")
    }
    for bundle in bench.bundles() { #expect(text.contains("bundle: results/bundles/\(bundle.suffix(36))\n")) }
  }
}
