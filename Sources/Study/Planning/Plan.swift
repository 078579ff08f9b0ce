import Basics

/// What a session will do, determined in advance from its seed: every trial in order, with its clip and how that was drawn.
package struct Plan: Hashable, Sendable {
  /// The seed of all draws.
  package var seed: UInt64

  /// Whose session it is.
  package var place: PlanPlace

  /// The steps around the trials, with a ``TrialsStep`` wherever trials are performed; empty for a protocol whose steps are
  /// those of a single trial.
  package var steps: [Step]

  /// The trials in order, at least one.
  package var trials: [PlannedTrial]

  /// How long all active steps last, of the trials and around them.
  package var duration: Duration {
    (trials.flatMap(\.steps) + steps).compactMap { $0.active?.stepDuration }.reduce(.zero, +)
  }

  /// How long the active steps last from each trial to the end, of the trials and around them, in the order of the trials.
  package var durationsLeft: [Duration] {
    var durations = Array(repeating: Duration.zero, count: trials.count)
    var left = Duration.zero
    func add(_ trial: PlannedTrial) {
      left += trial.steps.compactMap { $0.active?.stepDuration }.reduce(.zero, +)
      durations[trial.number - 1] = left
    }
    if steps.isEmpty { trials.reversed().forEach(add) }
    for step in steps.reversed() {
      left += step.active?.stepDuration ?? .zero
      for number in (step.trials?.numbers ?? []).reversed() { add(trials[number - 1]) }
    }
    return durations
  }
}

/// What a plan depends on besides its protocol, clips and seed.
package struct PlanPlace: Hashable, Sendable {
  /// The participant's index in the study, from 1.
  package var index: Int
  /// The participant's group; `nil` in a study without groups.
  package var group: String?
  /// The number of the participant's session, from 1.
  package var session: Int

  package init(index: Int = 1, group: String? = nil, session: Int = 1) {
    (self.index, self.group, self.session) = (index, group, session)
  }

  /// What the purposes of this session's draws begin with, so that they are independent of those of other sessions.
  var purpose: String { "participant/\(index)/session/\(session)/" }

  /// Which row of a Latin square the session begins with.
  var row: Int { index - 1 + session - 1 }
}

/// A trial as it is planned.
package struct PlannedTrial: Hashable, Sendable {
  /// Its number in the session, from 1.
  package var number: Int

  /// Its place in the design; `nil` for a protocol that is a single trial.
  package var placement: TrialPlacement?

  /// Its steps, with the durations that were drawn; silence is a step without music.
  package var steps: [Step]

  /// The stimulus; `nil` for a trial without music.
  package var stimulus: PlannedStimulus?
}

/// The place of a trial in its design, as results say it.
package struct TrialPlacement: Hashable, Sendable, Codable {
  /// The identifier of the step that performs the design's trials.
  package var step: String
  /// The condition's name.
  package var condition: String
  /// The level of each factor; `nil` for a design without factors.
  package var factors: [String: String]?
  /// The block, from 1; orders without blocks have one.
  package var block: Int
  /// The position among the design's trials, from 1; practice trials are counted by themselves.
  package var position: Int
  /// Whether it is for practice, and left out of analyses.
  package var isPractice: Bool
  /// The step that is silent in the place of a clip; `nil` for a trial with a clip.
  package var silentStep: String?

  private enum CodingKeys: String, CodingKey {
    case step, condition, factors, block, position, silentStep
    case isPractice = "practice"
  }

  init(
    step: String, condition: String, factors: [String: String]? = nil, block: Int, position: Int,
    isPractice: Bool = false, silentStep: String? = nil
  ) {
    (self.step, self.condition, self.factors) = (step, condition, factors)
    (self.block, self.position, self.isPractice, self.silentStep) = (block, position, isPractice, silentStep)
  }
}

/// The clip to be played.
package struct PlannedStimulus: Hashable, Sendable {
  /// The music step's identifier.
  package var step: String
  /// The step's playback settings.
  package var music: MusicStep
  package var clip: Clip
  /// The draw; `nil` for a clip named in the protocol.
  package var draw: Draw?
}

/// The reason why a plan cannot be made.
package enum PlanError: Misuse, Hashable, CustomStringConvertible {
  /// Drawing without replacement needs as many clips as trials.
  case tooFewClips(step: String, candidates: Int, trials: Int)
  /// The conditions of a design need more clips than their pools have.
  case tooFewClipsFor(design: String, ClipShortage, ClipReuse, PlanPlace)
  /// The protocol says itself how many trials there are.
  case trialsAreDesigned
  /// No order keeps the design's constraints.
  case noOrder(design: String, OrderError)

  /// Whether something given in the call is the reason.
  package var isMisuse: Bool {
    switch self {
    case .tooFewClips, .trialsAreDesigned: true
    case .tooFewClipsFor, .noOrder: false
    }
  }

  /// What failed, why, and what to do.
  package var description: String {
    switch self {
    case .tooFewClips(let step, let candidates, let trials):
      "cannot plan \(trials) trials: the step “\(step)” has \(candidates == 1 ? "1 clip" : "\(candidates) clips") to draw "
        + "from, and without replacement no clip is played twice; add clips, repeat it at most \(candidates) times, or "
        + "draw with --replacement"
    case .tooFewClipsFor(let design, let shortage, let reuse, let place):
      "cannot plan the trials of “\(design)”: \(shortage); \(reuse.scope(place)); add clips, or set “clipReuse”"
    case .trialsAreDesigned:
      "the protocol's “trials” step determines how many trials there are and how clips are drawn; leave --repeat and "
        + "--replacement out"
    case .noOrder(let design, _): "cannot plan the trials of “\(design)”: no order keeps its constraints"
    }
  }
}

extension ClipReuse {
  /// What the rule asks for, in a clause.
  fileprivate func scope(_ place: PlanPlace) -> String {
    switch self {
    case .always: "a clip may be drawn again"
    case .nextSession: "no clip is played twice in a session"
    case .nextParticipant: "no clip is played twice to a participant, and this is session \(place.session)"
    case .never: "no clip is played twice in the study, and this is participant \(place.index)"
    }
  }
}

extension Plan {
  /// Makes the plan of a protocol.
  ///
  /// Every draw has a purpose of its own: the order of a design, each clip, each duration. Another question or another
  /// duration therefore does not change the music. For a protocol that is a single trial, repeated, the purpose of the
  /// first clip ends with the music step's identifier, so that the first trial of a session draws the same clip as a
  /// single trial with that seed. Where participants are enrolled, the purpose begins with index and session.
  ///
  /// - Parameters:
  ///   - studyProtocol: a protocol without problems with these clips.
  ///   - clips: the clips of its library.
  ///   - seed: 0 … ``Draw/maxSeed``.
  ///   - place: whose session it is.
  ///   - count: how many trials, 1 … ``TrialsStep/maxTrials``; `nil` as the protocol says.
  ///   - withReplacement: whether a clip may be drawn again in the same session, for a protocol that is a single trial.
  /// - Returns: the plan; also without a stimulus if no clip fits, a problem that checking the protocol reports.
  /// - Throws: ``PlanError``.
  package static func make(
    for studyProtocol: StudyProtocol, clips: [Clip], seed: UInt64, place: PlanPlace = PlanPlace(),
    trials count: Int? = nil, withReplacement: Bool = false
  ) throws(PlanError) -> Plan {
    guard !studyProtocol.hasTrials else {
      guard count == nil, !withReplacement else { throw .trialsAreDesigned }
      return try SessionPlanner(studyProtocol, clips, seed, place).plan()
    }
    let numbers = 1...(count ?? 1)
    let prefix = studyProtocol.enrolsParticipants ? place.purpose : ""
    let steps = studyProtocol.steps.filter { $0.isFor(place.group) }
    var trials = numbers.map { number in
      let steps = steps.map { $0.drawn("\(prefix)jitter/\($0.identifier)/\(number)", seed) }
      return PlannedTrial(number: number, placement: nil, steps: steps, stimulus: nil)
    }
    if let music = steps.lazy.compactMap(\.music).first {
      try draw(music.step, music.music, clips, (prefix, seed), withReplacement, into: &trials)
    }
    return Plan(seed: seed, place: place, steps: [], trials: trials)
  }

  private static func draw(
    _ step: Step, _ music: MusicStep, _ clips: [Clip], _ random: (prefix: String, seed: UInt64),
    _ withReplacement: Bool,
    into trials: inout [PlannedTrial]
  ) throws(PlanError) {
    var left = Draw.candidates(for: music, among: clips)
    guard let first = left.first else { return }
    var isDrawn = false
    if case .random = music.clip { isDrawn = true }
    guard !isDrawn || withReplacement || trials.count <= left.count else {
      throw PlanError.tooFewClips(step: step.identifier, candidates: left.count, trials: trials.count)
    }
    for index in trials.indices {
      let number = trials[index].number
      let purpose = random.prefix + (number == 1 ? step.identifier : "\(step.identifier)/\(number)")
      let draw = isDrawn ? Draw.make(purpose: purpose, candidates: left.map(\.name), seed: random.seed) : nil
      // Candidates are sorted as the draw numbers them.
      let clip = draw.map { left[$0.index] } ?? first
      if let draw, !withReplacement { left.remove(at: draw.index) }
      trials[index].stimulus = PlannedStimulus(
        step: step.identifier, music: trials[index].steps.lazy.compactMap(\.music).first?.music ?? music, clip: clip,
        draw: draw
      ).drawn(purpose, random.seed)
    }
  }
}

extension Step {
  /// The step and its playback settings, if it plays music.
  package var music: (step: Step, music: MusicStep)? {
    (kind as? MusicStep).map { (self, $0) }
  }

  /// The step with its duration drawn for one purpose.
  func drawn(_ purpose: @autoclosure () -> String, _ seed: UInt64) -> Step {
    guard var active, let jitter = active.jitter else { return self }
    var random = Draw.generator(for: purpose(), seed: seed)
    (active.stepDuration, active.jitter) = (jitter.draw(&random), nil)
    return with(active)
  }
}
