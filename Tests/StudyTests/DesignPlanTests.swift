import Basics
import Quantities
import Testing

@testable import Study

@Suite struct DesignPlanTests {
  private static func clip(_ name: String, mood: String, tags: [String] = []) -> Clip {
    Clip(
      name: name, path: "/clips/\(name).mp3", bytes: 1000, sha256: name, frames: 44_100 * 60, sampleRate: 44_100,
      channels: 2, annotation: ClipAnnotation(mood: mood, tags: tags))
  }

  private static let moods = ["calm", "dark", "glad", "light"]
  private static let clips = moods.flatMap { mood in (1...6).map { clip("\(mood)\($0)", mood: mood) } }

  private static func step(_ kind: any StepContent, _ identifier: String) -> Step {
    Step(identifier: identifier, kind: kind)
  }

  private static func study(
    _ design: TrialDesign, sessions: Int = 1, practice: TrialsStep.Practice? = nil,
    breaks: TrialsStep.Breaks? = nil, jitter: Jitter? = nil, form: Bool = false
  ) -> StudyProtocol {
    var active = ActiveStep()
    active.stepDuration = .seconds(30)
    var before = ActiveStep()
    before.jitter = jitter
    let template =
      [
        step(RestStep(before), "before"), step(MusicStep(active: active, clip: .condition), "stimulus"),
      ] + (form ? [step(RestStep(before), "after")] : [])
    let trials = TrialsStep(design: design, steps: template, practice: practice, breaks: breaks)
    return StudyProtocol(
      identifier: "Study", version: "1", sessions: sessions, clips: ClipsSource(folder: "clips"),
      steps: [step(InstructionStep(), "welcome"), step(trials, "pieces"), step(CompletionStep(), "end")])
  }

  private static var conditions: [StudyCondition] {
    moods.map { StudyCondition(name: $0, sound: .clips(ClipPool(mood: $0))) }
      + [StudyCondition(name: "silence", sound: .silence)]
  }

  private static func plan(
    _ study: StudyProtocol, seed: UInt64 = 1, _ place: PlanPlace = PlanPlace()
  ) throws -> Plan {
    try Plan.make(for: study, clips: clips, seed: seed, place: place)
  }

  private static func conditions(_ plan: Plan) -> [String] { plan.trials.compactMap(\.placement?.condition) }

  @Test("Orders by index take the rows of the square in turn, and balance", arguments: [1, 2, 3])
  func squares(repetitions: Int) throws {
    let design = TrialDesign(conditions: Self.conditions, repetitions: repetitions, order: .balancedLatinSquare)
    let plans = try (1...10).map { try Self.plan(Self.study(design), PlanPlace(index: $0)) }
    for position in 0..<5 * repetitions {
      let counts = Dictionary(grouping: plans.map { Self.conditions($0)[position] }) { $0 }.mapValues(\.count)
      #expect(counts.count == 5 && Set(counts.values) == [2])
    }
    // The eleventh participant, and the first one's eleventh session, begin the square again.
    let first = Self.conditions(plans[0])
    #expect(try Self.conditions(Self.plan(Self.study(design), PlanPlace(index: 11))) == first)
    #expect(try Self.conditions(Self.plan(Self.study(design), PlanPlace(session: 11))) == first)
  }

  @Test func `A trial of silence has the steps of the others, and none of them plays`() throws {
    let plan = try Self.plan(Self.study(TrialDesign(conditions: Self.conditions, order: .fixed)))
    let silent = try #require(plan.trials.last)
    #expect(silent.placement?.condition == "silence" && silent.placement?.silentStep == "stimulus")
    #expect(silent.stimulus == nil && silent.steps.map(\.identifier) == ["before", "stimulus"])
    #expect(silent.steps[1].active?.stepDuration == .seconds(30) && silent.steps[1].music == nil)
    for trial in plan.trials.dropLast() {
      let mood = trial.stimulus?.clip.annotation.mood
      #expect(mood == trial.placement?.condition && trial.placement?.silentStep == nil)
    }
  }

  @Test("A clip comes again as soon as the rule for reuse allows", arguments: ClipReuse.allCases)
  func reuse(_ reuse: ClipReuse) throws {
    let design = TrialDesign(
      conditions: [StudyCondition(name: "calm", sound: .clips(ClipPool(mood: "calm")))], repetitions: 2,
      clipReuse: reuse)
    let study = Self.study(design, sessions: 3)
    func names(_ index: Int, _ session: Int) throws -> [String] {
      try Self.plan(study, PlanPlace(index: index, session: session)).trials.compactMap(\.stimulus?.clip.name)
    }
    let sessions = try (1...3).map { try names(1, $0) }
    for names in sessions {
      #expect(names.count == 2)
      if reuse != .always { #expect(Set(names).count == 2) }
    }
    switch reuse {
    case .always, .nextSession: break
    case .nextParticipant:
      #expect(Set(sessions.joined()).count == 6)
      #expect(throws: PlanError.self) { try names(1, 4) }
    case .never:
      #expect(Set(sessions.joined()).count == 6)
      #expect(throws: PlanError.self) { try names(2, 1) }
    }
    // The same session gives the same clips, whatever was planned before.
    #expect(try names(1, 3) == sessions[2])
  }

  @Test func `Draws from overlapping pools leave enough for the pools that need their clips`() throws {
    func condition(_ name: String, _ clips: [String]) -> StudyCondition {
      StudyCondition(name: name, sound: .clips(ClipPool(names: clips)))
    }
    let design = TrialDesign(
      conditions: [
        condition("any", ["calm1", "calm2", "calm3", "calm4"]), condition("few", ["calm1", "calm2"]),
        condition("some", ["calm2", "calm3"]),
      ], order: .random)
    var drawn: Set<String> = []
    for seed in UInt64(0)..<300 {
      let plan = try Self.plan(Self.study(design), seed: seed)
      #expect(Set(plan.trials.compactMap(\.stimulus?.clip.name)).count == 3)
      for trial in plan.trials {
        #expect(trial.stimulus?.draw?.holds == true)
        if trial.placement?.condition == "any", let name = trial.stimulus?.clip.name { drawn.insert(name) }
      }
    }
    #expect(drawn == ["calm1", "calm2", "calm3", "calm4"])
    let scarce = TrialDesign(
      conditions: [condition("one", ["calm1"]), condition("two", ["calm1", "calm2"]), condition("three", ["calm2"])])
    #expect(
      throws: PlanError.tooFewClipsFor(
        design: "pieces", ClipShortage(conditions: ["one", "two", "three"], trials: 3, clips: 2), .nextSession,
        PlanPlace())
    ) { try Self.plan(Self.study(scarce)) }
  }

  @Test func `Another step, question or duration changes neither the order nor the clips`() throws {
    let design = TrialDesign(conditions: Self.conditions, repetitions: 2, order: .random)
    let jitter = Jitter(.uniform, from: .seconds(1), to: .seconds(5))
    let plain = try Self.plan(Self.study(design))
    let changed = try Self.plan(Self.study(design, jitter: jitter, form: true))
    #expect(Self.conditions(plain) == Self.conditions(changed))
    #expect(plain.trials.map(\.stimulus?.clip) == changed.trials.map(\.stimulus?.clip))
    let durations = changed.trials.compactMap { $0.steps.first?.active?.stepDuration }
    #expect(Set(durations).count > 5 && durations.allSatisfy { (.seconds(1)...(.seconds(5))).contains($0) })
    #expect(changed.trials.allSatisfy { $0.steps.allSatisfy { $0.active?.jitter == nil } })
  }

  @Test func `Practice comes first, is marked, and takes no clip of the trials`() throws {
    let design = TrialDesign(conditions: Array(Self.conditions.prefix(2)), repetitions: 3, order: .randomBlocks)
    let practice = TrialsStep.Practice(trials: 3, clips: ClipPool(mood: "glad"))
    let plan = try Self.plan(Self.study(design, practice: practice))
    #expect(plan.trials.map(\.number) == Array(1...9))
    #expect(plan.trials.map { $0.placement?.isPractice } == [true, true, true] + Array(repeating: false, count: 6))
    #expect(plan.trials.map { $0.placement?.position } == [1, 2, 3, 1, 2, 3, 4, 5, 6])
    #expect(plan.trials.dropFirst(3).map { $0.placement?.block } == [1, 1, 2, 2, 3, 3])
    #expect(plan.trials.prefix(3).allSatisfy { $0.stimulus?.clip.annotation.mood == "glad" })
    #expect(Set(plan.trials.prefix(2).compactMap(\.placement?.condition)).count == 2)
  }

  @Test("Breaks part the trials, practice not counted", arguments: [(2, [4, 4, 1 + 1]), (5, [7, 3]), (20, [10])])
  func breaks(every: Int, expected: [Int]) throws {
    let design = TrialDesign(conditions: Array(Self.conditions.prefix(2)), repetitions: 4, order: .fixed)
    let study = Self.study(
      design, practice: TrialsStep.Practice(trials: 2),
      breaks: .init(every: every, steps: [Self.step(InstructionStep(), "pause")]))
    let plan = try Self.plan(study)
    let parts = plan.steps.compactMap { $0.trials?.numbers }
    #expect(parts.flatMap(Array.init) == Array(1...10))
    #expect(parts.first?.count == (every == 2 ? 4 : expected[0]))
    #expect(plan.steps.count { $0.identifier == "pause" } == parts.count - 1)
    #expect(plan.steps.first?.identifier == "welcome" && plan.steps.last?.identifier == "end")
  }

  @Test func `The time that is left is that of the trials and of the steps between and after them`() throws {
    var pause = ActiveStep()
    pause.stepDuration = .seconds(10)
    let breaks = TrialsStep.Breaks(every: 2, steps: [Self.step(RestStep(pause), "pause")])
    let design = TrialDesign(conditions: Self.conditions, order: .fixed)
    let plan = try Self.plan(Self.study(design, breaks: breaks))
    #expect(plan.durationsLeft == [170, 140, 100, 70, 30].map { .seconds($0) })
    #expect(plan.durationsLeft.first == plan.duration)
  }

  @Test func `A drawn duration has the distribution that it is said to have`() {
    var random = Xoshiro256StarStar(seed: 7)
    let uniform = Jitter(.uniform, from: .seconds(2), to: .seconds(4))
    let exponential = Jitter(.exponential(mean: .seconds(3)), from: .seconds(2), to: .seconds(6))
    func mean(_ jitter: Jitter) -> Double {
      let drawn = (0..<20_000).map { _ in jitter.draw(&random) }
      #expect(drawn.allSatisfy { (jitter.minimum...jitter.maximum).contains($0) })
      return drawn.reduce(0) { $0 + $1.seconds } / 20_000
    }
    // The standard errors are 0.004 and 0.006 s.
    #expect(abs(mean(uniform) - 3) < 0.02)
    // Of an exponential distribution beyond 2 with mean 1, cut after 4: 1 - 4 exp(-4) / (1 - exp(-4)).
    #expect(abs(mean(exponential) - 2.92537) < 0.03)
  }

  @Test func `The number of trials is the design's`() {
    let design = TrialDesign(conditions: Self.conditions)
    #expect(throws: PlanError.trialsAreDesigned) {
      try Plan.make(for: Self.study(design), clips: Self.clips, seed: 1, trials: 3)
    }
  }
}
