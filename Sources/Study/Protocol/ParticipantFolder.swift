import Basics

/// Folders of clips that depend on the participant: `{participant}/own`.
package enum ParticipantFolder: Sendable {
  /// What stands for the participant's code.
  package static let placeholder = "{participant}"

  /// Whether a folder depends on the participant.
  package static func isPersonal(_ folder: String) -> Bool { folder.contains(placeholder) }

  package static func resolve(_ folder: String, for participant: String) -> String {
    folder.replacing(placeholder, with: participant)
  }

  /// Why a text in a protocol is not such a folder; `nil` if it is one.
  static func problem(with folder: String) -> String? {
    guard resolve(folder, for: "").contains(where: { "{}".contains($0) }) else { return nil }
    return "braces stand around the participant's code only; did you mean “\(placeholder)”?"
  }
}

extension StudyProtocol {
  /// Whether the clips depend on the participant.
  var isPersonal: Bool {
    (clipFolders + [clips?.folder].compactMap(\.self)).contains(where: ParticipantFolder.isPersonal)
  }

  /// The protocol of one participant, with the folders of the participant's clips.
  package func of(participant: String) -> StudyProtocol {
    guard isPersonal else { return self }
    func own(_ pool: ClipPool) -> ClipPool {
      var pool = pool
      pool.folder = pool.folder.map { ParticipantFolder.resolve($0, for: participant) }
      return pool
    }
    var studyProtocol = self
    studyProtocol.clips?.folder = ParticipantFolder.resolve(clips?.folder ?? "", for: participant)
    studyProtocol.steps = steps.map { $0.with(pools: own) }
    return studyProtocol
  }
}

extension ClipPool {
  /// Whether its clips depend on the participant.
  var isPersonal: Bool { folder.map(ParticipantFolder.isPersonal) ?? false }
}

extension Step {
  /// The step with other pools of clips, also inside of it.
  fileprivate func with(pools change: (ClipPool) -> ClipPool) -> Step {
    var step = self
    if var music = music?.music {
      if case .random(let pool) = music.clip { music.clip = .random(change(pool)) }
      step.kind = music
    } else if var trials {
      trials.steps = trials.steps.map { $0.with(pools: change) }
      let practice = trials.practice?.clips.map(change)
      trials.practice?.clips = practice
      for (index, condition) in trials.design.conditions.enumerated() {
        if let pool = condition.pool { trials.design.conditions[index].sound = .clips(change(pool)) }
      }
      step.kind = trials
    }
    return step
  }
}
