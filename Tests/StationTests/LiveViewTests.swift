import Foundation
import Glibc
import Quantities
import Sound
import Study
import TestSupport
import Testing

@testable import Bundles

@Suite("Following a trial")
struct LiveViewTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  private func open() throws -> RecordedTrial { try RecordedTrial(in: bench.scratch["results"]) }

  @Test("A journal that grows is reported line by line, late samples too, until the bundle is there")
  func lines() async throws {
    let trial = try open()
    let live = try bench.start(["show", "--live"])
    try await live.output.wait(for: "0:00  trial \(trial.open.identifier): Short, participant p1, session 1\n")
    try await live.output.wait(for: "0:00  clip calm, 30.000 s\n")
    trial.append(1, .stepStarted(step: "music"))
    try await live.output.wait(for: "0:01  step 2 of 3, music: Listen\n")
    trial.beat(3, 60)
    try await live.output.wait(for: "0:03  strap: 60 /min, RR 1000 ms\n")
    trial.beat(2, 120)
    try await live.output.wait(for: "0:02  strap: 120 /min, RR 500 ms\n")
    let onset = MeasuredTime(time: .milliseconds(3004), uncertainty: .microseconds(40))
    trial.append(3, .soundScheduled(step: "music", segment: 0, at: .seconds(3), frames: 44_100))
    trial.append(3, .soundStarted(step: "music", segment: 0, onset: onset))
    try await live.output.wait(for: "0:03  onset at 3.004 s\n")
    trial.append(4, .soundDisturbed(step: "music", segment: 0, .underrun(at: nil)))
    try await live.output.wait(for: "0:04  warning: 1 buffer underrun\n")
    trial.append(5, .suspended)
    try await live.output.wait(for: "0:05  paused\n")
    trial.append(6, .sensorLost(sensor: "strap", reason: "unplugged", isFinal: true))
    try await live.output.wait(for: "0:06  sensor “strap” lost: unplugged\n")
    trial.append(7, .trialClosed(TrialClosing(outcome: .stopped, reason: "enough", calendar: nil)))
    try await live.output.wait(for: "0:07  outcome: stopped: enough\n")
    let bundle = try await trial.open.finish()
    let status = await live.end()
    #expect(status == 0, "\(live.complaints.text)")
    let verdict = "verdict: suspect: the trial was stopped: enough\n"
    let end = verdict + "bundle: \(bundle.replacing(bench.path + "/", with: ""))\n"
    #expect(live.output.text.hasSuffix(end), "\(live.output.text)")
    #expect(!live.output.text.contains("\u{1B}"))
    #expect(live.complaints.text.isEmpty)
  }

  @Test("On a terminal the screen shows step, clip, heart rate, warnings and chart, and is given back at the end")
  func screen() async throws {
    let trial = try open()
    let live = try bench.start(["show", "--live"], input: .terminal)
    trial.append(1, .stepStarted(step: "music"))
    try await live.output.wait(for: "step 2 of 3, music: Listen; ")
    for second in 2..<20 { trial.beat(Double(second), 60 + Double(second % 4)) }
    try await live.output.wait(for: "strap  18 heart rates")
    try await live.output.wait(for: "Heart rate (count/min)")
    trial.append(20, .soundDisturbed(step: "music", segment: 0, .underrun(at: nil)))
    try await live.output.wait(for: "! 1 buffer underrun")
    try await live.output.wait(for: "clip calm, 30 s")
    // Keys are no part of the picture.
    live.type("qqq\rzzz\u{1A}")
    trial.append(21, .trialClosed(TrialClosing(outcome: .completed, reason: nil, calendar: nil)))
    let bundle = try await trial.open.finish()
    let status = await live.end()
    #expect(status == 0, "\(live.complaints.text)")
    let text = live.output.text
    #expect(!text.contains("qqq") && !text.contains("zzz") && !text.contains("^Z"))
    #expect(text.hasPrefix("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"))
    let last = try #require(text.split(separator: "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l").last)
    #expect(last.contains("bundle: ") && last.contains(bundle.suffix(36)))
  }

  @Test("The chart begins with what is earliest, and not with what came first")
  func window() async throws {
    let trial = try open()
    let live = try bench.start(["show", "--live"], input: .terminal)
    trial.append(1, .stepStarted(step: "music"))
    for second in 5..<25 { trial.beat(Double(second), 60 + Double(second % 4)) }
    let onset = MeasuredTime(time: .milliseconds(100), uncertainty: .microseconds(40))
    trial.append(25, .soundStarted(step: "music", segment: 0, onset: onset))
    // The word over the line, not the one in the words above the chart.
    try await live.output.wait(for: "onset  ")
    live.type("\u{3}")
    let status = await live.end()
    #expect(status == 0, "\(live.complaints.text)")
  }

  @Test("Ctrl-C ends the view and not the trial, and gives the screen back", arguments: [nil, SIGTERM, SIGHUP])
  func interrupt(signal: Int32?) async throws {
    let trial = try open()
    let live = try bench.start(["show", "--live"], input: .terminal)
    try await live.output.wait(for: "Ctrl-C ends this view; the trial continues")
    if let signal { live.send(signal) } else { live.type("\u{3}") }
    let status = await live.end()
    #expect(status == 0, "\(live.complaints.text)")
    #expect(live.output.text.hasSuffix("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"))
    trial.pass()
    #expect(FileManager.default.fileExists(atPath: try await trial.open.finish()))
  }

  @Test("It waits for a trial where it is asked to, and otherwise says that none runs")
  func waiting() async throws {
    let none = try await bench.run(["show", "--live"])
    #expect(none.status == 1)
    #expect(none.complaints.hasPrefix("station: no trial is running in “results”; --wait waits"))
    let live = try bench.start(["show", "--live", "--wait"])
    try await live.output.wait(for: "waiting for a trial in “results”\n")
    let trial = try open()
    try await live.output.wait(for: "participant p1")
    trial.pass()
    _ = try await trial.open.finish()
    let status = await live.end()
    #expect(status == 0, "\(live.complaints.text)")
    #expect(live.output.text.contains("1:32  outcome: completed\nbundle: results/bundles/"))
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      let waiting = try bench.start(["show", "--live", "--wait"])
      try await waiting.output.wait(for: "waiting for a trial")
      waiting.send(signal)
      #expect(await waiting.end() == 0)
    }
  }

  @Test("Of several trials one has to be named, and one that has ended is reported by its bundle")
  func named() async throws {
    let (one, other) = (try open(), try open())
    let (status, _, complaints) = try await bench.run(["show", "--live"])
    #expect(status == 1)
    #expect(complaints.contains("2 sessions are running in “results”; name a participant, or the session"))
    for trial in [one, other] { #expect(complaints.contains(trial.open.identifier.description)) }
    let live = try bench.start(["show", "--live", "results/open/\(one.open.identifier)"])
    try await live.output.wait(for: "trial \(one.open.identifier)")
    one.pass()
    let bundle = try await one.open.finish()
    let last = await live.end()
    #expect(last == 0, "\(live.complaints.text)")
    let ended = try await bench.run(["show", "--live", one.open.identifier.description])
    #expect(ended.status == 0)
    #expect(
      ended.output == "bundle: results/bundles/\(one.open.identifier)\n"
        && bundle.hasSuffix(ended.output.suffix(37).dropLast()))
    let missing = try await bench.run(["show", "--live", "019a9c2e-5d42-7cc3-98c4-dc0c0c07398f"])
    #expect(missing.status == 1 && missing.complaints.contains("there is no trial “019a9c2e-"))
    let odd = try await bench.run(["show", "--live", "mine"])
    #expect(odd.status == 1 && odd.complaints.contains("“mine” is not the participant, session or trial of anything"))
  }

  @Test("A trial whose program died is reported, with the remedy; one that is discarded ends the view")
  func died() async throws {
    var trial: RecordedTrial? = try open()
    let name = try #require(trial).open.identifier.description
    let live = try bench.start(["show", "--live"])
    try await live.output.wait(for: "participant p1")
    // The lock goes with whoever held it.
    trial = nil
    #expect(await live.end() == 1)
    #expect(
      live.complaints.text.contains("the program that recorded trial \(name) crashed before the end of the trial"))
    #expect(live.complaints.text.contains("run “station recover” to make its bundle"))
    let none = try await bench.run(["show", "--live"])
    #expect(none.complaints.contains("one trial was left open by a crash; run “station recover” to finish"))
    let second = try open()
    let other = try bench.start(["show", "--live"])
    try await other.output.wait(for: "participant p1")
    try await second.open.discard()
    #expect(await other.end() == 1)
    #expect(other.output.text.contains("the trial was discarded: it has no bundle\n"))
  }

  @Test("A station that is killed in mid-trial ends the view on a terminal within its next second, with the remedy")
  func killed() async throws {
    try bench.write(Bench.music(seconds: 600, more: Bench.looped), to: "long.json")
    let live = try await Turns.trials.take {
      let child = try bench.start(bench.trial(of: "long.json"))
      try await child.output.wait(for: "the clip sounds")
      let live = try bench.start(["show", "--live"], input: .terminal)
      do {
        try await live.output.wait(for: "step 2 of 3, music: Listen")
      } catch {
        Issue.record("\(error); the trial said: \(child.output.text)\(child.complaints.text)")
        throw error
      }
      child.send(SIGKILL)
      _ = await child.end()
      return live
    }
    #expect(await live.end() == 1)
    let last = try #require(live.output.text.split(separator: "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l").last)
    #expect(last.hasPrefix("station: the program that recorded trial "), "\(last)")
    #expect(last.contains("run “station recover” to make its bundle"))
  }

  /// Leaves a trial open that nobody records.
  private func crash() async throws {
    // The lock goes with whoever held it, and with programs that other tests start just now.
    _ = try open()
    let results = ResultsFolder(bench.scratch["results"])
    while try results.trialsUnderWay().contains(where: \.isRecorded) { await Task.yield() }
  }

  @Test("What a crash left open before is not followed when it is recovered, by the next session neither")
  func recovered() async throws {
    try await crash()
    let none = try await bench.run(["show", "--live"])
    #expect(none.complaints.contains("one trial was left open by a crash"))
    let live = try bench.start(["show", "--live", "--wait"])
    try await live.output.wait(for: "waiting for a trial")
    #expect(try await bench.run(["recover"]).status == 0)
    let trial = try RecordedTrial(in: bench.scratch["results"], participant: "p2")
    try await live.output.wait(for: "participant p2")
    trial.append(1, .trialClosed(TrialClosing(outcome: .completed, reason: nil, calendar: nil)))
    _ = try await trial.open.finish()
    #expect(await live.end() == 0, "\(live.complaints.text)")
    #expect(!live.output.text.contains("participant p1") && live.complaints.text.isEmpty)
    try await crash()
    #expect(try await bench.run(["show", "--live"]).status == 1)
    // The view starts with the trial's turn: how long that is waited for is no patience of the view.
    let (next, run) = try await Turns.trials.take {
      let next = try bench.start(["show", "--live", "--wait"])
      try await next.output.wait(for: "waiting for a trial")
      return (next, try await bench.run(bench.trial()))
    }
    #expect([0, 4].contains(run.status) && run.output.contains("recovered into"), "\(run.complaints)")
    #expect(await next.end() == 0, "\(next.complaints.text)")
    #expect(next.output.text.contains("outcome: completed") && !next.output.text.contains("outcome: recovered"))
  }

  @Test("A trial that came and went while the view stood still is reported from its beginning to its bundle")
  func missed() async throws {
    let live = try bench.start(["show", "--live", "--wait"])
    try await live.output.wait(for: "waiting for a trial")
    live.send(SIGSTOP)
    let bundle = try await RecordedTrial.bundle(in: bench.scratch["results"])
    live.send(SIGCONT)
    #expect(await live.end() == 0, "\(live.complaints.text)")
    for part in [", music: ", "onset at ", "outcome: completed"] { #expect(live.output.text.contains(part), "\(part)") }
    #expect(live.output.text.hasSuffix("bundle: results/bundles/\(bundle.suffix(36))\n"))
  }

  @Test("A trial that comes and goes while the view looks for one is reported from its beginning to its bundle")
  func brief() async throws {
    for round in 0..<Int64(10) {
      let views = try (0..<8).map { _ in try bench.start(["show", "--live", "--wait"]) }
      for live in views { try await live.output.wait(for: "waiting for a trial") }
      let bundle = try await RecordedTrial.bundle(in: bench.scratch["results"], at: round)
      for live in views {
        #expect(await live.end() == 0, "\(live.complaints.text)")
        for part in ["step 2 of 3, music: Listen", "onset at ", "outcome: completed"] {
          #expect(live.output.text.contains(part), "\(part): \(live.output.text)")
        }
        #expect(live.output.text.hasSuffix("bundle: results/bundles/\(bundle.suffix(36))\n"))
      }
    }
  }

  @Test("A trial that is really run is followed from its beginning to its bundle, and is not disturbed")
  func real() async throws {
    // The view starts with the trial's turn: how long that is waited for is no patience of the view.
    let (live, trial) = try await Turns.trials.take {
      let live = try bench.start(["show", "--live", "--wait"])
      try await live.output.wait(for: "waiting for a trial")
      return (live, try await bench.run(bench.trial()))
    }
    #expect([0, 4].contains(trial.status), "\(trial.complaints)")
    let status = await live.end()
    #expect(status == 0, "\(live.complaints.text)")
    let bundle = try #require(bench.bundles().first)
    let text = live.output.text
    for part in [
      "step 1 of 3, intro: Hello", "step 2 of 3, music: Listen", "onset at ", "/min, RR ", "outcome: completed",
    ] {
      #expect(text.contains(part), "\(part)")
    }
    #expect(text.hasSuffix("bundle: results/bundles/\(bundle.suffix(36))\n"))
    #expect(try await bench.run(["verify", bundle]).status == 0)
  }
}
