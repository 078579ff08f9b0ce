/// A step that performs trials: its template of steps once for every trial of a design.
package struct TrialsStep: Hashable, Sendable {
  /// The largest number of trials in a plan.
  package static let maxTrials = 10_000

  /// The conditions and their order.
  package var design: TrialDesign
  /// The steps of each trial; at most one of them plays music.
  package var steps: [Step]
  /// Trials for practice, before the others; `nil` for none.
  var practice: Practice?
  /// What comes between trials; `nil` for nothing.
  package var breaks: Breaks?
  /// How often a trial is performed again whose sound was lost.
  package var repeatsLost = 0
  /// The numbers of the trials that are performed here, in a plan; `nil` in a protocol.
  package var numbers: [Int]?

  init(design: TrialDesign, steps: [Step], practice: Practice? = nil, breaks: Breaks? = nil) {
    (self.design, self.steps, self.practice, self.breaks) = (design, steps, practice, breaks)
  }

  /// Trials that are marked, and left out of analyses.
  struct Practice: Hashable, Sendable {
    /// How many; their conditions are drawn, each once before one comes again.
    var trials: Int
    /// Clips that are for practice only; `nil` to draw from the conditions' pools, where a drawn clip is not played again.
    var clips: ClipPool?
  }

  /// Steps between trials.
  package struct Breaks: Hashable, Sendable {
    /// After how many trials.
    var every: Int
    /// The steps, none of which plays music.
    package var steps: [Step]
  }

  /// The step of the template that plays the trial's clip.
  var music: (step: Step, music: MusicStep)? { steps.lazy.compactMap(\.music).first }
}

extension Step {
  /// The trials that it performs, if it does.
  package var trials: TrialsStep? { kind as? TrialsStep }
}

/// The conditions of trials, and how they are put in order.
package struct TrialDesign: Hashable, Sendable {
  /// The conditions: those that are listed, the rows of a file, or all combinations of the factors' levels.
  var conditions: [StudyCondition]
  /// How often each condition comes.
  package var repetitions: Int
  var order: TrialOrder
  /// What a random order keeps.
  package var constraints: [OrderConstraint]
  /// When a clip that was played may be drawn again.
  var clipReuse: ClipReuse

  init(
    conditions: [StudyCondition], repetitions: Int = 1, order: TrialOrder = .random,
    constraints: [OrderConstraint] = [], clipReuse: ClipReuse = .nextSession
  ) {
    (self.conditions, self.repetitions, self.order) = (conditions, repetitions, order)
    (self.constraints, self.clipReuse) = (constraints, clipReuse)
  }

  func of(_ group: String?) -> TrialDesign {
    let indices = conditions.indices.filter { conditions[$0].groups?.contains(group ?? "") ?? true }
    guard indices.count < conditions.count else { return self }
    var design = self
    design.conditions = indices.map { conditions[$0] }
    for index in constraints.indices {
      design.constraints[index].labels = indices.map { constraints[index].labels[$0] }
    }
    return design
  }

  /// How many trials it has, practice left out.
  var trials: Int { conditions.count * repetitions }
}

/// One condition of a design: a combination of its factors' levels.
struct StudyCondition: Hashable, Sendable {
  /// Its name in results.
  var name: String
  /// The level of each factor, by the factor's name; empty for a design without factors.
  var factors: [String: String]
  /// What is played in its trials.
  var sound: Sound
  /// The groups whose participants have it; `nil` for everyone.
  var groups: [String]?
  /// What its trials show where a step asks for it; `nil` for nothing.
  var picture: StudyPicture?
  /// The code that other devices get as a marker; `nil` for the lowest that is left, see ``MarkerCodes``.
  var marker: Int?

  /// The clips that it draws from; `nil` for silence.
  var pool: ClipPool? {
    if case .clips(let pool) = sound { pool } else { nil }
  }

  /// What a trial plays.
  enum Sound: Hashable, Sendable {
    case clips(ClipPool)
    /// Nothing, for as long as a clip would last.
    case silence
  }

  init(name: String, factors: [String: String] = [:], sound: Sound) {
    (self.name, self.factors, self.sound) = (name, factors, sound)
  }
}

/// When a clip that a participant heard may be drawn again.
package enum ClipReuse: String, Sendable, CaseIterable {
  /// In the next trial.
  case always
  /// In the participant's next session.
  case nextSession
  case nextParticipant
  /// Never in the study.
  case never
}
