import Basics
import Quantities
import Testing

@testable import Study

@Suite("The plan of a session")
struct PlanTests {
  private static func clip(_ name: String) -> Clip {
    Clip(
      name: name, path: "/clips/\(name).mp3", bytes: 1000, sha256: name, frames: 441_000, sampleRate: 44_100,
      channels: 2)
  }

  private static func study(_ choice: ClipChoice = .random(ClipPool())) -> StudyProtocol {
    var active = ActiveStep()
    active.stepDuration = .seconds(5)
    let music = Step(identifier: "music", kind: MusicStep(active: active, clip: choice))
    return StudyProtocol(identifier: "Task", version: "1", clips: ClipsSource(folder: "clips"), steps: [music])
  }

  private static let clips = (0..<24).map { clip("clip\($0)") }

  private static func names(_ plan: Plan) -> [String] { plan.trials.compactMap(\.stimulus?.clip.name) }

  @Test("Without replacement every clip comes once, in an order that the seed determines", arguments: [1, 2, 6, 24])
  func withoutReplacement(count: Int) throws {
    for seed in UInt64(0)..<100 {
      let plan = try Plan.make(for: Self.study(), clips: Self.clips, seed: seed, trials: count)
      #expect(plan.trials.map(\.number) == Array(1...count))
      #expect(Set(Self.names(plan)).count == count)
      #expect(try plan == Plan.make(for: Self.study(), clips: Self.clips.reversed(), seed: seed, trials: count))
      for trial in plan.trials { #expect(trial.stimulus?.draw?.holds == true) }
    }
  }

  @Test("The first trial of a session draws the clip of a single trial with that seed")
  func first() throws {
    for seed in UInt64(0)..<200 {
      let single = try Plan.make(for: Self.study(), clips: Self.clips, seed: seed)
      #expect(single.trials.first?.stimulus?.draw?.purpose == "music")
      for withReplacement in [true, false] {
        let session = try Plan.make(
          for: Self.study(), clips: Self.clips, seed: seed, trials: 5, withReplacement: withReplacement)
        #expect(session.trials.first?.stimulus == single.trials.first?.stimulus)
      }
    }
  }

  /// 24 orders of four clips, 4,800 seeds: chi-square with 23 degrees of freedom exceeds 41.6 in one of 100 runs.
  @Test("Each order is equally likely")
  func orders() throws {
    let clips = Array(Self.clips.prefix(4))
    var counts: [[String]: Int] = [:]
    for seed in UInt64(0)..<4800 {
      counts[Self.names(try Plan.make(for: Self.study(), clips: clips, seed: seed, trials: 4)), default: 0] += 1
    }
    #expect(counts.count == 24)
    #expect(counts.values.reduce(0) { $0 + Double(($1 - 200) * ($1 - 200)) / 200 } < 41.6)
  }

  @Test("With replacement every trial draws from all clips")
  func withReplacement() throws {
    let clips = Array(Self.clips.prefix(3))
    var counts: [String: Int] = [:]
    for seed in UInt64(0)..<300 {
      let plan = try Plan.make(for: Self.study(), clips: clips, seed: seed, trials: 10, withReplacement: true)
      for trial in plan.trials {
        #expect(trial.stimulus?.draw?.candidates.count == 3)
        counts[trial.stimulus?.clip.name ?? "", default: 0] += 1
      }
    }
    #expect(counts.values.reduce(0) { $0 + Double(($1 - 1000) * ($1 - 1000)) / 1000 } < 9.21)
  }

  @Test("More trials than clips cannot be drawn without replacement", arguments: [3, 4, 24])
  func tooFew(count: Int) {
    #expect(throws: PlanError.tooFewClips(step: "music", candidates: 2, trials: count)) {
      try Plan.make(for: Self.study(), clips: Array(Self.clips.prefix(2)), seed: 1, trials: count)
    }
  }

  @Test("A clip that the protocol names is played in every trial, and nothing is drawn")
  func named() throws {
    let plan = try Plan.make(for: Self.study(.named("clip3")), clips: Self.clips, seed: 1, trials: 30)
    #expect(Self.names(plan) == Array(repeating: "clip3", count: 30))
    #expect(plan.trials.allSatisfy { $0.stimulus?.draw == nil })
  }

  @Test("A protocol without music has trials without a stimulus")
  func silence() throws {
    let study = StudyProtocol(
      identifier: "Rest", version: "1", steps: [Step(identifier: "rest", kind: RestStep(ActiveStep()))])
    let plan = try Plan.make(for: study, clips: [], seed: 1, trials: 3)
    #expect(plan.trials.map(\.number) == [1, 2, 3] && plan.trials.allSatisfy { $0.stimulus == nil })
  }

  @Test("A single trial has the steps of the participant's group only, and draws of the participant's own")
  func groups() throws {
    var study = Self.study()
    var rest = Step(identifier: "rest", kind: RestStep(ActiveStep()))
    (rest.groups, study.steps[0].groups) = (["silence"], ["music"])
    study.steps += [rest, Step(identifier: "end", kind: CompletionStep())]
    study.groups = StudyGroups(.index, [StudyGroups.Group("music"), StudyGroups.Group("silence")])
    func plan(_ place: PlanPlace, trials: Int? = nil) throws -> Plan {
      try Plan.make(for: study, clips: Self.clips, seed: 1, place: place, trials: trials)
    }
    let silent = try plan(PlanPlace(group: "silence"), trials: 2)
    #expect(silent.trials.map { $0.steps.map(\.identifier) } == [["rest", "end"], ["rest", "end"]])
    #expect(silent.trials.allSatisfy { $0.stimulus == nil })
    let places = (1...30).flatMap { index in
      (1...2).map { PlanPlace(index: index, group: "music", session: $0) }
    }
    let plans = try places.map { try plan($0) }
    #expect(plans.allSatisfy { $0.trials.map { $0.steps.map(\.identifier) } == [["music", "end"]] })
    // One seed for all, and yet not one clip for all.
    #expect(Set(plans.flatMap(Self.names)).count > 10)
    #expect(Set(plans.compactMap { $0.trials.first?.stimulus?.draw?.purpose }).count == 60)
  }

  // MARK: Parts of clips

  @Test("A part of a clip is drawn for each trial from all that are long enough, and is the same for a seed")
  func excerpts() throws {
    var study = Self.study(.named("clip3"))
    var music = try #require(study.steps[0].music).music
    music.excerpt = .random
    study.steps[0].kind = music
    var starts: [Int64] = []
    for seed in UInt64(0)..<2000 {
      let plan = try Plan.make(for: study, clips: Self.clips, seed: seed, trials: 2)
      #expect(try plan == Plan.make(for: study, clips: Self.clips, seed: seed, trials: 2))
      #expect(plan.trials[0].stimulus?.start != plan.trials[1].stimulus?.start || seed > 0)
      starts += plan.trials.compactMap { $0.stimulus.map { $0.start.nanoseconds } }
    }
    // Clips of 10 s are played for 5: whole milliseconds from 0 to 5000, each as likely.
    #expect(starts.allSatisfy { $0 % 1_000_000 == 0 && (0...5_000_000_000).contains($0) })
    let mean = Double(starts.reduce(0, +)) / Double(starts.count) / 1e9
    // The mean of 4,000 has an SD of 0.0228 s.
    #expect((mean - 2.5).magnitude < 0.1)
    let quarters = Dictionary(grouping: starts) { min(3, $0 / 1_250_000_000) }
    #expect(quarters.count == 4 && quarters.values.allSatisfy { (850...1150).contains($0.count) })
  }
}
