import Basics

extension ProtocolObject {
  static let practice: ProtocolObject = ProtocolObject("in “practice”", ["trials", "clips"])
  static let breaks: ProtocolObject = ProtocolObject("in “breaks”", ["every", "steps"])
  static let design: ProtocolObject = ProtocolObject(
    "in “design”",
    [
      "conditions", "factors", "conditionsFile", "repetitions", "order", "maxRun", "minDistance", "clipReuse",
    ])
  static let condition: ProtocolObject = ProtocolObject(
    "in a condition", ["name", "factors", "clips", "picture", "groups", "marker"])
  static let factor: ProtocolObject = ProtocolObject("in a factor", ["name", "levels"])
  static let level: ProtocolObject = ProtocolObject("in a level", ["name", "clips"])
  static let pool: ProtocolObject = ProtocolObject("in “clips”", ["from", "mood", "tag", "folder"])
  static let jitter: ProtocolObject = ProtocolObject(
    "in “stepDuration”", ["distribution", "minimum", "mean", "maximum"])
}

extension TrialsStep: StepReading {
  package static let kind = "trials"
  static let summary = "performs its steps once for every trial of a design"
  static let keys: [StepKey] = ["design", "practice", "breaks", "repeatLost", "steps"]
  static let objects: [ProtocolObject] = [.practice, .breaks, .design, .condition, .factor, .level, .pool]

  package var effort: StepEffort { .inner }
  package var waitsForReturn: Bool { false }
  package var isRepeatable: Bool { false }

  static func read(_ object: LocatedObject) -> Self? {
    let steps = object.required("steps", "what happens in each trial, in order").flatMap(Step.readAll)
    let design = object.required("design", "the conditions and their order").flatMap(TrialDesign.read)
    let practice = object["practice"].flatMap(Practice.read)
    let breaks = object["breaks"].flatMap(Breaks.read)
    let repeats = object["repeatLost"]?.wholeNumber("how often a trial is performed again", in: 0...10)
    guard let steps, let design else { return nil }
    var trials = TrialsStep(design: design, steps: steps, practice: practice, breaks: breaks)
    trials.repeatsLost = repeats ?? 0
    trials.reportUnusedClips(object)
    trials.reportUnusedPictures(object)
    trials.reportSoundingSilence(object)
    return trials
  }

  /// Reports pictures of the conditions that no step shows, and a step that would show them and has none.
  private func reportUnusedPictures(_ object: LocatedObject) {
    func isOfCondition(_ step: Step) -> Bool { if case .condition = step.pictureChoice { true } else { false } }
    let first = design.conditions.first { $0.picture != nil }
    switch (first, steps.firstIndex(where: isOfCondition)) {
    case (let condition?, nil):
      object["design"]?.report(
        "the “picture” of conditions, such as “\(condition.name.shortened)”, is not shown: write {\"choose\": \"condition\"} as the "
          + "“picture” of a step, or leave it out")
    case (nil, let index?):
      object["steps"]?.quietElements[index].quietMember("picture")?.report(
        "no condition has a picture; give them one, in a table in the columns “picture” and “alt”")
    default: break
    }
  }

  /// Reports clips of the conditions or of practice that no step plays.
  private func reportUnusedClips(_ object: LocatedObject) {
    let choice = music?.music.clip
    let conditions = design.conditions.filter { $0.pool.map { $0 != ClipPool() } ?? false }
    if choice != .condition, let first = conditions.first {
      let index = steps.firstIndex { $0.music != nil }
      let place = index.flatMap { object["steps"]?.quietElements[$0].quietMember("clip") } ?? object["steps"]
      let whose = "the “clips” of \(conditions.count.counted("condition")), such as “\(first.name.shortened)”,"
      place?.report(
        "\(whose) are not played: write {\"choose\": \"condition\"} as the “clip” of a music step, or leave them out")
    }
    guard practice?.clips != nil else { return }
    switch choice {
    case .condition, .random: break
    case .named, nil:
      object["practice"]?.quietMember("clips")?.report("no step draws a clip, so these are not played; leave them out")
    }
  }
}

extension TrialsStep {
  /// Reports conditions and levels that are called silence and would play a clip.
  fileprivate func reportSoundingSilence(_ object: LocatedObject) {
    guard music?.music.clip == .condition, let place = object["design"] else { return }
    func report(_ place: Located?, _ name: String, _ remedy: String) {
      place?.report("“\(name.shortened)” would play a clip: \(remedy)")
    }
    let listed = place.quietMember("conditions")?.quietElements ?? []
    for (place, condition) in zip(listed, design.conditions) where condition.pool?.isOfSilence == false {
      let level = condition.pool == ClipPool() ? condition.factors.values.first(where: \.meansSilence) : nil
      guard let name = condition.name.meansSilence ? condition.name : level else { continue }
      report(
        place.quietMember("name") ?? place, name,
        "write \"clips\": \"silence\", or in a table “silence” in the column “clip”; or give it another name")
    }
    let factors = (place.quietMember("factors")?.quietElements ?? []).map {
      $0.quietMember("levels")?.quietElements ?? []
    }
    let hasClips = factors.map { $0.contains { $0.quietMember("clips") != nil } }
    for (levels, namesClips) in zip(factors, hasClips) where namesClips || !hasClips.contains(true) {
      for level in levels {
        let place = level.quietMember("name") ?? level
        let clips = level.quietMember("clips")
        let words = ["mood", "tag", "folder"].compactMap { clips?.quietMember($0)?.quietString }
        guard let name = place.quietString, name.meansSilence, clips?.quietMember("from") == nil,
          !words.contains(where: \.meansSilence)
        else { continue }
        report(
          place, name,
          "a level cannot be silent; list the combinations as “conditions”, these with \"clips\": \"silence\"; or give it "
            + "another name")
      }
    }
  }
}

extension String {
  /// Whether it says that nothing is played: `silence`, `Stille`, `no-music`.
  fileprivate var meansSilence: Bool {
    [
      "silence", "silent", "silencio", "silenzio", "stille", "nosound", "nomusic", "ohnemusik", "keinemusik",
      "sansmusique",
    ].contains(lowercased().filter(\.isLetter))
  }
}

extension ClipPool {
  /// Whether its clips are said to be silent: they are named, or their mood, tag or folder is silence.
  fileprivate var isOfSilence: Bool {
    names != nil || ([mood, folder].compactMap(\.self) + tags).contains(where: \.meansSilence)
  }
}

extension TrialsStep.Practice {
  fileprivate static func read(_ place: Located) -> Self? {
    guard let object = place.object("an object with the number of “trials”") else { return nil }
    object.refuseKeys(beside: .practice)
    let trials = object.required("trials", "how many trials are for practice")?
      .wholeNumber("a number of trials", in: 1...100)
    let clips = object["clips"].flatMap(ClipPool.read)
    return trials.map { Self(trials: $0, clips: clips) }
  }
}

extension TrialsStep.Breaks {
  fileprivate static func read(_ place: Located) -> Self? {
    guard let object = place.object("an object with “every” and “steps”") else { return nil }
    object.refuseKeys(beside: .breaks)
    let every = object.required("every", "after how many trials there is a break")?
      .wholeNumber("a number of trials", in: 1...TrialsStep.maxTrials)
    let steps = object.required("steps", "what happens in a break, in order").flatMap(Step.readAll)
    guard let every, let steps else { return nil }
    return Self(every: every, steps: steps)
  }
}

extension TrialDesign {
  /// The most conditions of a design, those of all combinations of levels included.
  static let maxConditions = 10_000

  fileprivate static func read(_ place: Located) -> TrialDesign? {
    guard let object = place.object("a design, which is an object") else { return nil }
    object.refuseKeys(beside: .design)
    let conditions = readConditions(object)
    let repetitions = object["repetitions"]?.wholeNumber("a number of repetitions", in: 1...TrialsStep.maxTrials) ?? 1
    let order = object.required("order", "how trials are ordered, such as “random”")?
      .word("an order", among: TrialOrder.allCases.map(\.rawValue)).flatMap(TrialOrder.init)
    let reuse = object["clipReuse"]?.word("a rule for clips", among: ClipReuse.allCases.map(\.rawValue))
      .flatMap(ClipReuse.init)
    guard let conditions else { return nil }
    let constraints = ["maxRun", "minDistance"].flatMap { key in
      object[key].map { readConstraints($0, key, conditions) } ?? []
    }
    guard let order else { return nil }
    let design = TrialDesign(
      conditions: conditions, repetitions: repetitions, order: order, constraints: constraints,
      clipReuse: reuse ?? .nextSession)
    if reuse == .never, conditions.contains(where: { $0.groups != nil }) {
      object["clipReuse"]?.report(
        "conditions that differ between groups cannot be combined with “never”: which clips were played before depends on "
          + "everyone's group; write “nextParticipant”, or give each group a “trials” step of its own")
    }
    if reuse == .never, conditions.contains(where: { $0.pool?.isPersonal ?? false }) {
      object["clipReuse"]?.report(
        "clips of a participant's own folder are played to no one else; “never” cannot be combined with it, write "
          + "“nextParticipant”")
    }
    design.check(object)
    return design
  }

  // MARK: Conditions

  private static func readConditions(_ object: LocatedObject) -> [StudyCondition]? {
    let given = ["conditions", "factors", "conditionsFile"].compactMap { key in object[key].map { (key, $0) } }
    guard let (key, place) = given.first else {
      object.place.report(
        "the conditions are missing: list “conditions”, cross “factors”, or name a “conditionsFile”")
      return nil
    }
    for (other, place) in given.dropFirst() {
      place.report("the conditions are given by “\(key)” already; leave “\(other)” out")
    }
    switch key {
    case "conditions": return readListed(place)
    case "factors": return readFactors(place)
    // What is left of it after the rows were put in its place was reported.
    default: return nil
    }
  }

  private static func readListed(_ place: Located) -> [StudyCondition]? {
    guard let elements = place.filledElements("an array of conditions", atMost: maxConditions) else { return nil }
    let conditions = elements.map(StudyCondition.read)
    return conditions.contains { $0 == nil } ? nil : conditions.compactMap(\.self)
  }

  private static func readFactors(_ place: Located) -> [StudyCondition]? {
    guard let elements = place.filledElements("an array of factors", atMost: 10) else { return nil }
    let factors = elements.map(DesignFactor.read)
    Located.refuseRepetition(elements.compactMap { $0.quietMember("name") }, of: "factor")
    guard !factors.contains(where: { $0 == nil }) else { return nil }
    let count = factors.reduce(1) { $0 * ($1?.levels.count ?? 1) }
    guard count <= maxConditions else {
      place.report("the factors have \(count) combinations of levels, more than \(maxConditions)")
      return nil
    }
    return DesignFactor.crossed(factors.compactMap(\.self))
  }

  // MARK: Constraints

  private static func readConstraints(
    _ place: Located, _ key: String, _ conditions: [StudyCondition]
  ) -> [OrderConstraint] {
    func constraint(_ place: Located, _ value: (StudyCondition) -> String?) -> OrderConstraint? {
      guard let number = place.wholeNumber("a number of trials", in: 1...TrialsStep.maxTrials) else { return nil }
      return OrderConstraint(
        key == "maxRun" ? .maxRun(number) : .minDistance(number), labels: labels(conditions.map(value)))
    }
    guard case .object = place.node.content else { return [constraint(place) { $0.name }].compactMap(\.self) }
    let factors = Set(conditions.flatMap(\.factors.keys)).sorted()
    let known = ["condition"] + factors
    return (place.object("constraints")?.members ?? []).compactMap { member in
      guard known.contains(member.key) else {
        place.problems.add(at: member.keyOffset, place.path.appending(member.key)) {
          "no factor has this name; \(Spelling.advice(for: member.key, among: known))"
        }
        return nil
      }
      guard let place = place.quietMember(member.key) else { return nil }
      return constraint(place) { member.key == "condition" ? $0.name : $0.factors[member.key] }
    }
  }

  /// The same number for the same name.
  private static func labels(_ names: [String?]) -> [Int] {
    var numbers: [String?: Int] = [:]
    return names.map { name in
      let number = numbers[name] ?? numbers.count
      numbers[name] = number
      return number
    }
  }

  // MARK: Rules

  /// Reports what is right by itself and cannot be together.
  private func check(_ object: LocatedObject) {
    guard trials <= TrialsStep.maxTrials else {
      object.place.report("the design has \(trials) trials, and a session at most \(TrialsStep.maxTrials)")
      return
    }
    let limits = ["maxRun", "minDistance"].compactMap { object[$0] }
    guard order.isRandom else {
      for place in limits {
        place.report("only the orders “random” and “randomBlocks” can keep this; “\(order.rawValue)” is given")
      }
      return
    }
    guard !constraints.isEmpty, let place = limits.first else { return }
    var random = Xoshiro256StarStar(seed: 0)
    do {
      _ = try order.cells(
        conditions.count, repetitions: repetitions, constraints: constraints, random: &random)
    } catch {
      place.report(words(for: error))
    }
  }

  /// Why no order was found, and what to do.
  func words(for error: OrderError) -> String {
    let advice = "allow more, change the repetitions, or add conditions"
    switch error {
    case .impossible(let culprit?):
      let index = culprit.constraint.labels.firstIndex(of: culprit.label) ?? 0
      let factor = conditions[index].factors.first { _, level in
        culprit.constraint.labels.indices.allSatisfy {
          (culprit.constraint.labels[$0] == culprit.label) == conditions[$0].factors.values.contains(level)
        }
      }
      let name = factor.map { "“\($0.key)” = “\($0.value)”" } ?? "“\(conditions[index].name)”"
      return "no order keeps this: \(culprit.count) of \(culprit.trials) trials are of \(name), and at most "
        + "\(culprit.most) can be; \(advice)"
    case .impossible(nil): return "no order keeps this together with the other constraints and the blocks; \(advice)"
    case .notFound(let attempts):
      return "no order that keeps this was found in \(attempts) attempts; \(advice)"
    }
  }
}

/// A factor of a design, whose levels are combined with those of the others.
private struct DesignFactor {
  let name: String
  let levels: [(name: String, clips: ClipPool?)]

  static func read(_ place: Located) -> DesignFactor? {
    guard let object = place.object("a factor, which is an object") else { return nil }
    object.refuseKeys(beside: .factor)
    let name = object.required("name", "what results call this factor")?.identifier()
    let elements = object.required("levels", "the factor's levels")?
      .filledElements("an array of levels", atMost: TrialDesign.maxConditions)
    Located.refuseRepetition(elements?.map { $0.quietMember("name") ?? $0 } ?? [], of: "level")
    let levels = elements?.map(readLevel)
    guard let name, let levels, !levels.contains(where: { $0 == nil }) else { return nil }
    return DesignFactor(name: name, levels: levels.compactMap(\.self))
  }

  private static func readLevel(_ place: Located) -> (name: String, clips: ClipPool?)? {
    if place.quietString != nil { return place.identifier().map { ($0, nil) } }
    guard let object = place.object("a level: its name, or an object with “name” and “clips”") else { return nil }
    object.refuseKeys(beside: .level)
    let clips = object["clips"].flatMap(ClipPool.read)
    return object.required("name", "what results call this level")?.identifier().map { ($0, clips) }
  }

  /// All combinations of levels; those of the last factor change fastest.
  static func crossed(_ factors: [DesignFactor]) -> [StudyCondition] {
    var combinations: [(names: [String], factors: [String: String], pool: ClipPool)] = [([], [:], ClipPool())]
    for factor in factors {
      combinations = combinations.flatMap { combination in
        factor.levels.map { level in
          (
            combination.names + [level.name],
            combination.factors.merging([factor.name: level.name]) { $1 },
            level.clips.map(combination.pool.intersection) ?? combination.pool
          )
        }
      }
    }
    return combinations.map {
      StudyCondition(name: $0.names.joined(separator: "-"), factors: $0.factors, sound: .clips($0.pool))
    }
  }
}

extension StudyCondition {
  fileprivate static func read(_ place: Located) -> StudyCondition? {
    guard let object = place.object("a condition, which is an object") else { return nil }
    object.refuseKeys(beside: .condition)
    let name = object.required("name", "what results call this condition")?.identifier()
    var factors: [String: String] = [:]
    if let levels = object["factors"]?.object("an object with the level of each factor") {
      for member in levels.members { factors[member.key] = levels[member.key]?.name("a level") }
    }
    let sound = object["clips"].map(Sound.read) ?? .clips(ClipPool())
    let groups = object["groups"].flatMap(StudyGroups.readNames)
    let marker = object["marker"]?.wholeNumber("a code", in: MarkerCodes.range)
    if let with = object["picture"]?.quietMember("with") {
      with.report("the step that shows the picture says when it appears; put “with” there")
    }
    let picture = object["picture"].map(StudyPicture.read)
    guard let name, let sound, picture != .some(nil) else { return nil }
    var condition = StudyCondition(name: name, factors: factors, sound: sound)
    (condition.groups, condition.marker, condition.picture) = (groups, marker, picture ?? nil)
    return condition
  }
}

extension StudyCondition.Sound {
  fileprivate static func read(_ place: Located) -> Self? {
    guard place.quietString == nil else {
      return place.word("a condition's clips", among: ["silence"]).map { _ in .silence }
    }
    return ClipPool.read(place).map(Self.clips)
  }
}
