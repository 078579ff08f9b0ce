import Basics
package import Study

/// What the plan of a session was made from, beside its protocol and its place in the study.
package struct SessionBasis: Hashable, Sendable, Codable {
  /// The clips that its trials could play, by name.
  let clips: [BasisClip]
  /// How the participant's group was found; `nil` in a study without groups.
  let assignment: GroupAssignment?

  /// A clip, as far as draws depend on it.
  struct BasisClip: Hashable, Sendable, Codable {
    let name: String
    /// The SHA-256 of its file.
    let sha256: String
    /// Its mood in `clips.json`.
    let mood: String?
    /// Its tags there.
    let tags: [String]?
    /// The folder inside the library's folder that it lies in; `nil` for that folder itself.
    let folder: String?
    /// Its length in sample frames.
    let frames: Int
    /// The number of sample frames in a second.
    let sampleRate: Int

    init(_ clip: Clip) {
      (name, sha256, folder) = (clip.name, clip.sha256, clip.subfolder)
      (frames, sampleRate) = (clip.frames, clip.sampleRate)
      (mood, tags) = (clip.annotation.mood, clip.annotation.tags)
    }

    /// The clip, without what only playing it needs.
    var clip: Clip {
      Clip(
        name: name, path: name, bytes: 0, sha256: sha256, frames: frames, sampleRate: max(1, sampleRate), channels: 1,
        annotation: ClipAnnotation(mood: mood, tags: tags), subfolder: folder)
    }
  }

  /// How a group was found.
  package struct GroupAssignment: Hashable, Sendable, Codable {
    /// How many participants each group had.
    let counts: [String: Int]
    /// The draw among groups that were filled alike; `nil` where there was none.
    let draw: Draw?
    /// Whether the group is that of a participant whom this one replaces.
    let isInherited: Bool

    private enum CodingKeys: String, CodingKey {
      case counts, draw
      case isInherited = "inherited"
    }

    package init(counts: [String: Int], draw: Draw?, isInherited: Bool) {
      (self.counts, self.draw, self.isInherited) = (counts, draw, isInherited)
    }
  }

  /// The basis of a protocol's plans.
  ///
  /// - Parameters:
  ///   - studyProtocol: the protocol.
  ///   - clips: the clips of its library.
  ///   - assignment: how the participant's group was found.
  package init(_ studyProtocol: StudyProtocol, clips: [Clip], assignment: GroupAssignment?) {
    let playable = studyProtocol.music(among: clips).flatMap(\.clips)
    let byName = Dictionary(playable.map { ($0.name, $0) }) { first, _ in first }
    self.clips = byName.values.sorted { $0.name.precedes($1.name) }.map(BasisClip.init)
    self.assignment = assignment
  }
}
