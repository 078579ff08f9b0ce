import Basics

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
  ///   - count: how many trials, 1 … ``maxTrials``; `nil` as the protocol says.
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
    let steps = studyProtocol.steps.filter { $0.isFor(place.group) }.withSections()
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
        draw: draw)
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
