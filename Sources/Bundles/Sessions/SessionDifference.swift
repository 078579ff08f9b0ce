import Basics
import Quantities
import Study

/// A place where a session differs from its plan, or its record from what its seed gives.
package struct SessionDifference: Hashable, Sendable, CustomStringConvertible {
  /// What differs.
  enum Aspect: String, Hashable, Sendable, CaseIterable {
    /// The protocol's file, by its SHA-256.
    case studyProtocol = "protocol"
    /// The plan as a whole, which cannot be made again.
    case plan
    /// The number of trials in the plan.
    case trials
    /// The order in which trials were performed.
    case order
    /// The bundle of a part that was performed.
    case bundle
    /// The session that a bundle belongs to.
    case session
    /// The participant's code.
    case participant
    /// The participant's group.
    case group
    case groupDraw
    case seed
    /// The trial's number in the plan.
    case number
    /// The step that performs the design's trials.
    case designStep
    case condition
    /// The levels of the factors.
    case factors
    case block
    /// The position in the design.
    case position
    /// Whether the trial is for practice.
    case practice
    /// The step that is silent in the place of a clip.
    case silentStep
    /// The clip, by its name.
    case clip
    /// The clip's file, by its SHA-256.
    case clipFile
    /// The draw of the clip.
    case draw
    /// The time of the clip from which on it is played.
    case clipStart
    /// How long a step lasts.
    case duration
  }

  let aspect: Aspect
  /// The number of the trial; `nil` for the session as a whole, and for what lies around trials.
  let trial: Int?
  /// The bundle that differs from the plan; `nil` where the session's record differs from what its seed gives.
  let bundle: String?
  /// The step; `nil` where it is not about one.
  let step: String?
  /// What was planned, or is given by the seed.
  let expected: String
  /// What the record, or the bundle, says.
  let found: String

  init(
    _ aspect: Aspect, trial: Int? = nil, bundle: String? = nil, step: String? = nil, expected: String, found: String
  ) {
    (self.aspect, self.trial, self.bundle, self.step) = (aspect, trial, bundle, step)
    (self.expected, self.found) = (expected, found)
  }

  /// The place, what was expected, and what was found.
  package var description: String {
    let what = aspect.words + (step.map { " of “\($0)”" } ?? "")
    let place = [trial.map { "trial \($0)" }, bundle.map { "bundle \($0)" }, what].compactMap(\.self)
    return "\(place.joined(separator: ", ")): expected \(expected), found \(found)".visible
  }
}

extension SessionDifference.Aspect {
  fileprivate var words: String {
    switch self {
    case .groupDraw: "draw of the group"
    case .designStep: "step of the design"
    case .silentStep: "silent step"
    case .clipFile: "file of the clip"
    case .order: "order of trials"
    case .trials: "number of trials"
    default: rawValue
    }
  }
}

/// What a plan, a record or a bundle says of a trial, piece by piece.
struct TrialClaims {
  /// A piece: what it is about, and of which step.
  struct Key: Hashable, Comparable {
    let aspect: SessionDifference.Aspect
    var step: String?

    static func < (left: Key, right: Key) -> Bool {
      (left.aspect.rawValue, left.step ?? "") < (right.aspect.rawValue, right.step ?? "")
    }
  }

  private(set) var claims: [Key: String] = [:]

  init(_ trial: SessionRecord.Planned) {
    self.init(trial.design, trial.clip, trial.draw, trial.start)
    for duration in trial.durations {
      claims[Key(aspect: .duration, step: duration.step)] = Self.words(duration.duration)
    }
  }

  /// What a bundle says, as far as a plan determines it.
  init(_ record: TrialRecord) {
    self.init(
      record.design, record.clip.map { TrialRecord.ClipReference(name: $0.clip.name, sha256: $0.clip.sha256) },
      record.clip?.draw, record.clip?.start)
    if let clip = record.clip { claims[Key(aspect: .duration, step: clip.step)] = Self.words(clip.requested) }
  }

  private init(_ design: TrialPlacement?, _ clip: TrialRecord.ClipReference?, _ draw: Draw?, _ start: Duration?) {
    func claim(_ aspect: SessionDifference.Aspect, _ value: String?) { claims[Key(aspect: aspect)] = value ?? "none" }
    claim(.designStep, design?.step)
    claim(.condition, design?.condition)
    claim(
      .factors, design?.factors?.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
    claim(.block, design.map { "\($0.block)" })
    claim(.position, design.map { "\($0.position)" })
    claim(.practice, design.map { $0.isPractice ? "yes" : "no" })
    claim(.silentStep, design?.silentStep)
    claim(.clip, clip?.name)
    claim(.clipFile, clip?.sha256)
    claim(.draw, draw?.words)
    claim(.clipStart, start.map(Self.words))
  }

  static func words(_ duration: Duration) -> String { "\(duration.seconds.fixed(3)) s" }

  /// Where another's claims differ, in the order of their codes.
  ///
  /// - Parameters:
  ///   - other: the other's.
  ///   - isPartial: whether the other need not say everything, or only what it says has to be the same.
  /// - Returns: the pieces with both claims.
  func differences(
    from other: TrialClaims, isPartial: Bool
  ) -> [(key: Key, expected: String, found: String)] {
    let keys = isPartial ? Set(other.claims.keys) : Set(claims.keys).union(other.claims.keys)
    return keys.sorted().compactMap { key in
      let (expected, found) = (claims[key] ?? "none", other.claims[key] ?? "none")
      return expected == found ? nil : (key, expected, found)
    }
  }
}

extension Draw {
  /// Everything that a draw depends on.
  var words: String {
    "\(drawn ?? "none"), number \(index) of \(candidates.joined(separator: ", ")), for \(purpose), seed \(seed), "
      + generator
  }
}
