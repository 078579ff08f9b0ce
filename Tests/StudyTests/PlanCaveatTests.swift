import Basics
import Quantities
import TestSupport
import Testing

@testable import Study

@Suite("What a methodologist asks about a plan")
struct PlanCaveatTests {
  /// A study that leaves nothing to ask; tests change one thing of it.
  private struct Design {
    var order = TrialOrder.balancedLatinSquare
    var names = ["calm", "dark", "glad", "silence"]
    var repetitions = 1
    var clipReuse = ClipReuse.nextSession
    var sessions = 1
    var groups: StudyGroups?
    var baseline: [RecorderConfiguration] = [PlanCaveatTests.heart]
    var recorders: [RecorderConfiguration] = [PlanCaveatTests.heart]
    var recordersOfAll: [RecorderConfiguration] = []
    var music = Duration.seconds(300)
    var musicJitter: Jitter?
    var whenShorter = MusicStep.WhenShorter.refuse
    var recovery = Duration.seconds(300)
    var asksBeforeRecovery = false
    var display = Displays(.participant)
    var clips: [Clip] = ["calm", "dark", "glad"].flatMap { mood in
      (1...4).map { PlanCaveatTests.clip("\(mood)\($0)", mood: mood) }
    }

    private static func step(_ kind: any StepContent, _ identifier: String) -> Step {
      Step(identifier: identifier, kind: kind)
    }

    private func rest(_ duration: Duration, _ recorders: [RecorderConfiguration]) -> any StepContent {
      var active = ActiveStep()
      (active.stepDuration, active.recorderConfigurations) = (duration, recorders)
      return RestStep(active)
    }

    var study: StudyProtocol {
      var active = ActiveStep()
      (active.stepDuration, active.jitter, active.recorderConfigurations) = (music, musicJitter, recorders)
      let conditions = names.map {
        StudyCondition(name: $0, sound: $0 == "silence" ? .silence : .clips(ClipPool(mood: $0)))
      }
      let question = Self.step(FormStep(questions: []), "feeling")
      let recovery = Self.step(rest(recovery, [PlanCaveatTests.heart]), "recovery")
      let stimulus = Self.step(
        MusicStep(active: active, clip: .condition, whenShorter: whenShorter), "stimulus")
      let trials = TrialsStep(
        design: TrialDesign(
          conditions: conditions, repetitions: repetitions, order: order, clipReuse: clipReuse),
        steps: [stimulus] + (asksBeforeRecovery ? [question, recovery] : [recovery, question]))
      var study = StudyProtocol(
        identifier: "Study", version: "1", sessions: sessions, clips: ClipsSource(folder: "clips"), groups: groups,
        display: display,
        steps: [
          Self.step(rest(.seconds(300), baseline), "baseline"), Self.step(trials, "pieces"),
          Self.step(CompletionStep(), "end"),
        ])
      study.recorderConfigurations = recordersOfAll
      return study
    }

    func caveats(_ place: PlanPlace = PlanPlace()) throws -> [PlanCaveat] {
      let plan = try Plan.make(for: study, clips: clips, seed: 1, place: place)
      return PlanCaveat.all(of: study, clips: clips, plan: plan)
    }
  }

  private static let heart = RecorderConfiguration(
    identifier: "heart", quantityType: .heartRate, unit: .countPerMinute)
  private static let breath = RecorderConfiguration(
    identifier: "breath", quantityType: .respiratoryRate, unit: .countPerMinute)

  private static func clip(_ name: String, mood: String, seconds: Int = 320) -> Clip {
    Clip(
      name: name, path: "/clips/\(name).mp3", bytes: 1000, sha256: name, frames: 44_100 * seconds, sampleRate: 44_100,
      channels: 2, annotation: ClipAnnotation(mood: mood))
  }

  private func design(_ change: (inout Design) -> Void) -> Design {
    var design = Design()
    change(&design)
    return design
  }

  @Test("A study with baseline, silence, balance, long pieces and recovery has none")
  func none() throws { #expect(try Design().caveats() == []) }

  @Test("No recording at rest before the first stimulus is not a baseline")
  func baseline() throws {
    #expect(try design { $0.baseline = [] }.caveats() == [.noBaseline])
    // Where nothing is recorded, there is nothing to compare.
    #expect(
      try design {
        $0.baseline = []
        $0.recorders = []
      }.caveats() == [])
  }

  @Test(
    "An electrocardiogram and a pulse wave give variability",
    arguments: [QuantityType.electrocardiogram, .photoplethysmogram])
  func waves(type: QuantityType) throws {
    let wave = RecorderConfiguration(identifier: "wave", quantityType: type, unit: type.defaultUnit)
    for seconds in [299.0, 300] {
      let caveats = try design { ($0.music, $0.recorders) = (.seconds(seconds), [wave]) }.caveats()
      #expect(
        caveats
          == (seconds < 300 ? [.shortForVariability(steps: ["stimulus"], shortest_s: seconds, least_s: 300)] : []))
    }
  }

  @Test("A recorder of the session records the baseline and the stimuli, one of trials only the stimuli")
  func wideRecorders() throws {
    func caveats(_ scope: RecorderConfiguration.Scope) throws -> [PlanCaveat] {
      try design {
        ($0.baseline, $0.recorders, $0.music) = ([], [], .seconds(299))
        var heart = Self.heart
        heart.scope = scope
        $0.recordersOfAll = [heart]
      }.caveats()
    }
    let short = PlanCaveat.shortForVariability(steps: ["stimulus"], shortest_s: 299, least_s: 300)
    #expect(try caveats(.session) == [short])
    #expect(try caveats(.trial) == [.noBaseline, short])
  }

  @Test("Variability needs five minutes, of recorders that give it", arguments: [299.0, 300])
  func variability(seconds: Double) throws {
    let caveats = try design { $0.music = .seconds(seconds) }.caveats()
    #expect(
      caveats
        == (seconds < 300 ? [.shortForVariability(steps: ["stimulus"], shortest_s: seconds, least_s: 300)] : []))
    let both = try design { ($0.music, $0.recovery) = (.seconds(seconds), .seconds(60)) }.caveats()
    #expect(
      both == [
        .shortForVariability(steps: (seconds < 300 ? ["stimulus"] : []) + ["recovery"], shortest_s: 60, least_s: 300)
      ])
    let other = design {
      $0.music = .seconds(seconds)
      $0.recorders = [Self.breath]
    }
    #expect(try other.caveats() == [])
  }

  @Test("Windows that are drawn, or end with their clips, are unequal")
  func windows() throws {
    let drawn = design { $0.musicJitter = Jitter(.uniform, from: .seconds(300), to: .seconds(310)) }
    #expect(try drawn.caveats() == [.unequalWindows(steps: ["stimulus"], shortest_s: 300, longest_s: 310)])
    let unrecorded = design {
      $0.musicJitter = Jitter(.uniform, from: .seconds(300), to: .seconds(310))
      $0.recorders = []
    }
    #expect(try unrecorded.caveats() == [])
    let ends = design {
      $0.whenShorter = .end
      $0.clips = ["calm", "dark", "glad"].flatMap { mood in
        (1...2).map { Self.clip("\(mood)\($0)", mood: mood, seconds: mood == "dark" ? 290 : 295) }
      }
    }
    #expect(try ends.caveats() == [.unequalWindows(steps: ["stimulus"], shortest_s: 290, longest_s: 300)])
  }

  @Test("A condition that is listed twice has twice the trials")
  func trials() throws {
    let caveats = try design { $0.names = ["calm", "calm", "dark", "silence"] }.caveats()
    #expect(
      caveats == [
        .unequalTrials(design: "pieces", fewest: .init("dark", 1), most: .init("calm", 2))
      ])
  }

  @Test(
    "Orders in which everybody begins alike are told, drawn and balanced ones are not", arguments: TrialOrder.allCases)
  func order(_ order: TrialOrder) throws {
    #expect(try design { $0.order = order }.caveats() == (order == .fixed ? [.fixedOrder(design: "pieces")] : []))
  }

  @Test("Groups in turn that get every other row of an even square are not balanced, by the orders themselves")
  func positions() throws {
    let even = design { $0.groups = StudyGroups(.index, [.init("a"), .init("b")]) }
    let caveats = try even.caveats(PlanPlace(index: 1, group: "a"))
    // The study has no step for one of the groups.
    #expect(caveats.first == .groupsAlike(groups: ["a", "b"]))
    guard case .unbalancedPositions("pieces", let participants, 1, let fewest, let most)? = caveats.last else {
      Issue.record("\(caveats)")
      return
    }
    #expect(caveats.count == 2 && participants == 2 && (fewest.trials, most.trials) == (0, 1))
    let first = try stride(from: 1, through: 7, by: 2).compactMap { index in
      try Plan.make(for: even.study, clips: even.clips, seed: 1, place: PlanPlace(index: index, group: "a")).trials
        .first?.placement?.condition
    }
    #expect(first.count == 4 && Set(first).count == 2 && !first.contains(fewest.condition))
    // Three conditions have six rows; groups by a list get any of them.
    let list = design { $0.groups = StudyGroups(.list, [.init("a"), .init("b")]) }
    #expect(try list.caveats(PlanPlace(index: 1, group: "a")) == [.groupsAlike(groups: ["a", "b"])])
    let three = design { $0.groups = StudyGroups(.index, [.init("a"), .init("b"), .init("c")]) }
    #expect(try three.caveats(PlanPlace(index: 1, group: "a")) == [.groupsAlike(groups: ["a", "b", "c"])])
  }

  @Test("Stimuli close to each other carry over, unless each follows each other one", arguments: [29, 30])
  func carryOver(seconds: Int) throws {
    for order in [TrialOrder.random, .latinSquare, .balancedLatinSquare] {
      let caveats = try design {
        $0.order = order
        $0.recovery = .seconds(seconds)
      }.caveats().filter { if case .shortForVariability = $0 { false } else { true } }
      #expect(
        caveats
          == (seconds < 30 && order != .balancedLatinSquare
            ? [.carryOver(design: "pieces", between_s: 29, least_s: 30)] : []))
    }
  }

  @Test("Without silence there is no control")
  func control() throws {
    #expect(try design { $0.names = ["calm", "dark", "glad"] }.caveats() == [.noControl])
  }

  @Test("A condition with one clip is told, and one whose rows share clips is not")
  func oneClip() throws {
    let lone = design { $0.clips.removeAll { $0.name.hasPrefix("dark") && $0.name != "dark1" } }
    #expect(try lone.caveats() == [.oneClip(design: "pieces", conditions: ["dark"])])
  }

  @Test("A clip that is played again is told, in this session and in another one")
  func repeated() throws {
    let again = design {
      $0.repetitions = 4
      $0.clipReuse = .always
      $0.clips.removeAll { $0.name.hasSuffix("3") || $0.name.hasSuffix("4") }
    }
    let caveats = try again.caveats()
    guard case .repeatedClip(let clip, let times)? = caveats.first else {
      Issue.record("\(caveats)")
      return
    }
    let plan = try Plan.make(for: again.study, clips: again.clips, seed: 1)
    let names = plan.trials.compactMap(\.stimulus?.clip.name)
    #expect(caveats.count == 1 && names.filter { $0 == clip }.count == times)
    #expect(Set(names).allSatisfy { name in names.filter { $0 == name }.count <= times })
    #expect(
      try design { $0.sessions = 2 }.caveats() == [.clipsOfEarlierSessions(design: "pieces", sessions: 2)])
    #expect(
      try design {
        $0.sessions = 2
        $0.clipReuse = .nextParticipant
      }.caveats() == [])
  }

  @Test("A form between stimulus and recovery is told")
  func asked() throws {
    #expect(
      try design { $0.asksBeforeRecovery = true }.caveats()
        == [.askedBeforeRecovery(question: "feeling", recovery: "recovery")])
  }

  @Test(
    "Steps for the operator among those of the participant are told, whichever way they are chosen",
    arguments: [
      (Displays(.participant, kinds: ["music": .operator]), ["stimulus"]),
      (Displays(.operator, steps: ["end": .participant]), ["baseline", "stimulus", "recovery", "feeling"]),
      (Displays(.operator), []), (Displays(.participant), []),
    ])
  func displays(display: Displays, steps: [String]) throws {
    let caveats = try design { $0.display = display }.caveats()
    #expect(caveats == (steps.isEmpty ? [] : [.operatorOnParticipantScreen(steps: steps)]))
  }

  @Test("The examples have the caveats that they should have")
  func examples() throws {
    let known: [String: [String]] = [
      "music-and-silence.json": ["shortForVariability"],
      "music-heart-rate.json": ["noBaseline", "shortForVariability"],
      "one-clip.json": ["noBaseline", "shortForVariability"],
      "rating.json": ["noBaseline", "shortForVariability"],
      "rest-music-rest.json": ["shortForVariability"],
      "silent-control.json": ["shortForVariability"],
    ]
    let moods = ["chill", "dark", "happy", "light"]
    let clips = moods.flatMap { mood in (1...2).map { Self.clip("\(mood)_preview_\($0)", mood: mood) } }
    for name in try Corpus.examples {
      let bytes = try File.contents(of: "\(Repository.root)/protocols/\(name)")
      let files = ProtocolFiles { path in
        Result { () throws(FileError) in try File.contents(of: "\(Repository.root)/protocols/\(path)") }
      }
      let study = try StudyProtocolReader.read(bytes, fileName: name, files: files).studyProtocol
      let plan = try Plan.make(for: study, clips: clips, seed: 1)
      let codes = PlanCaveat.all(of: study, clips: clips, plan: plan).compactMap { $0.json["caveat"]?.string }
      if let expected = known[name] { #expect(codes == expected, "\(name)") }
    }
    #expect(try Set(known.keys).isSubset(of: Corpus.examples))
  }

  @Test("Every caveat says its code, its numbers and a sentence in JSON")
  func json() throws {
    let cell = PlanCaveat.Cell("calm", 2)
    let all: [PlanCaveat] = [
      .noBaseline, .shortForVariability(steps: ["s"], shortest_s: 30, least_s: 300),
      .unequalWindows(steps: ["s"], shortest_s: 1, longest_s: 2),
      .unequalTrials(design: "d", fewest: cell, most: cell), .fixedOrder(design: "d"),
      .unbalancedPositions(design: "d", participants: 2, position: 1, fewest: cell, most: cell),
      .carryOver(design: "d", between_s: 1, least_s: 30), .noControl, .groupsAlike(groups: ["a", "b"]),
      .groupUnnamed(group: "a"), .anyClip(design: "d", conditions: ["a"]), .oneClip(design: "d", conditions: ["a"]),
      .repeatedClip(clip: "c", times: 2), .clipsOfEarlierSessions(design: "d", sessions: 2),
      .askedBeforeRecovery(question: "q", recovery: "r"), .operatorOnParticipantScreen(steps: ["m"]),
      .clipFaulty(clip: "c", fault: "the end is missing"),
    ]
    #expect(Set(all.compactMap { $0.json["caveat"]?.string }).count == all.count)
    for caveat in all {
      let text = try #require(caveat.json["text"]?.string)
      #expect(text.hasSuffix(".") && text.first?.isUppercase == true)
    }
  }

  @Test("A condition that says nothing of clips is named beside others that do, and not among its like")
  func anyClip() throws {
    func caveats(_ pools: [ClipPool]) throws -> [PlanCaveat] {
      let conditions = pools.enumerated().map { StudyCondition(name: "c\($0)", sound: .clips($1)) }
      let trials = TrialsStep(
        design: TrialDesign(conditions: conditions),
        steps: [Step(identifier: "m", kind: MusicStep(active: ActiveStep(), clip: .condition))])
      let study = StudyProtocol(
        identifier: "S", version: "1", clips: ClipsSource(folder: "clips"),
        steps: [Step(identifier: "t", kind: trials)])
      let clips = design { _ in }.clips
      let plan = try Plan.make(for: study, clips: clips, seed: 1)
      return PlanCaveat.all(of: study, clips: clips, plan: plan).filter {
        if case .anyClip = $0 { true } else { false }
      }
    }
    #expect(try caveats([ClipPool(mood: "calm"), ClipPool()]) == [.anyClip(design: "t", conditions: ["c1"])])
    #expect(try caveats([ClipPool(), ClipPool()]).isEmpty)
    #expect(try caveats([ClipPool(mood: "calm"), ClipPool(mood: "dark")]).isEmpty)
  }

  @Test(
    "Groups that differ in nothing are told, and one that nothing names",
    arguments: [
      ([nil, nil], [PlanCaveat.groupsAlike(groups: ["a", "b", "c"])]),
      ([["a"], nil], [.groupsAlike(groups: ["b", "c"])]), ([["a"], ["b"]], [.groupUnnamed(group: "c")]),
      ([["a", "b"], ["c"]], [.groupsAlike(groups: ["a", "b"])]), ([["a", "b"], ["b", "c"]], []),
      ([["a"], ["b"], ["c"]], []),
    ] as [([[String]?], [PlanCaveat])])
  func alike(steps: [[String]?], caveats: [PlanCaveat]) {
    let groups = StudyGroups(.list, ["a", "b", "c"].map { StudyGroups.Group($0) })
    let all = steps.enumerated().map { index, names in
      var step = Step(identifier: "s\(index)", kind: RestStep(ActiveStep()))
      step.groups = names
      return step
    }
    let study = StudyProtocol(identifier: "S", version: "1", groups: groups, steps: all)
    #expect(PlanCaveat.ofGroups(study) == caveats)
  }
}
