import Basics

/// What a session will do, determined in advance from its seed: every trial in order, with its clip and how that was drawn.
package struct Plan: Hashable, Sendable {
  /// The seed of all draws.
  package var seed: UInt64

  /// The trials in order, at least one.
  package var trials: [PlannedTrial]

  /// The largest number of trials in a plan.
  package static let mostTrials = 10_000

  /// Makes the plan of a protocol.
  ///
  /// Every draw has a purpose of its own, the music step's identifier with the trial's number from the second trial on,
  /// so that the first trial of a session draws the same clip as a single trial with that seed.
  ///
  /// - Parameters:
  ///   - studyProtocol: a protocol without problems with these clips.
  ///   - clips: the clips of its library.
  ///   - seed: 0 … ``Draw/largestSeed``.
  ///   - count: how many trials, 1 … ``mostTrials``.
  ///   - withReplacement: whether a clip may be drawn again in the same session.
  /// - Returns: the plan; also without a stimulus if no clip fits, a problem that checking the protocol reports.
  /// - Throws: ``PlanError`` if there are fewer clips than trials that each need another one.
  package static func make(
    for studyProtocol: StudyProtocol, clips: [Clip], seed: UInt64, trials count: Int = 1, withReplacement: Bool = false
  ) throws(PlanError) -> Plan {
    var plan = Plan(seed: seed, trials: (1...count).map { PlannedTrial(number: $0, stimulus: nil) })
    for step in studyProtocol.steps {
      guard case .music(let music) = step.kind else { continue }
      let candidates = Draw.candidates(for: music, among: clips)
      guard let first = candidates.first else { continue }
      guard case .random = music.clip else {
        let stimulus = PlannedStimulus(step: step.identifier, music: music, clip: first, draw: nil)
        for index in plan.trials.indices { plan.trials[index].stimulus = stimulus }
        return plan
      }
      guard withReplacement || count <= candidates.count else {
        throw PlanError.tooFewClips(step: step.identifier, candidates: candidates.count, trials: count)
      }
      var left = candidates
      for index in plan.trials.indices {
        let number = plan.trials[index].number
        let draw = Draw.make(
          purpose: number == 1 ? step.identifier : "\(step.identifier)/\(number)", candidates: left.map(\.name),
          seed: seed)
        // Candidates are sorted as the draw numbers them.
        let clip = left[draw.index]
        if !withReplacement { left.remove(at: draw.index) }
        plan.trials[index].stimulus = PlannedStimulus(step: step.identifier, music: music, clip: clip, draw: draw)
      }
      return plan
    }
    return plan
  }
}

/// A trial as it is planned.
package struct PlannedTrial: Hashable, Sendable {
  /// Its number in the session, from 1.
  package var number: Int

  /// The stimulus; `nil` for a protocol without music.
  package var stimulus: PlannedStimulus?
}

/// The reason why a plan cannot be made.
package enum PlanError: Misuse, Hashable, CustomStringConvertible {
  /// Drawing without replacement needs as many clips as trials.
  case tooFewClips(step: String, candidates: Int, trials: Int)

  /// The number of trials is given in the call.
  package var isMisuse: Bool { true }

  /// What failed, why, and what to do.
  package var description: String {
    switch self {
    case .tooFewClips(let step, let candidates, let trials):
      "cannot plan \(trials) trials: the step “\(step)” has \(candidates == 1 ? "1 clip" : "\(candidates) clips") to draw "
        + "from, and without replacement no clip is played twice; add clips, repeat it at most \(candidates) times, or "
        + "draw with --replacement"
    }
  }
}

/// The clip to be played.
package struct PlannedStimulus: Hashable, Sendable {
  /// The music step's identifier.
  package var step: String
  /// The step's playback settings.
  package var music: MusicStep
  /// The clip.
  package var clip: Clip
  /// The draw; `nil` for a clip named in the protocol.
  package var draw: Draw?
}
