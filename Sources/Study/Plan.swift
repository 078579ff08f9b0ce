/// What a trial will do, determined in advance: the clip, and how it was drawn.
package struct Plan: Hashable, Sendable {
  /// The seed of all draws.
  package var seed: UInt64

  /// The stimulus; `nil` for a protocol without music.
  package var stimulus: PlannedStimulus?

  /// Makes the plan of a protocol.
  ///
  /// - Parameters:
  ///   - studyProtocol: a protocol without problems with these clips.
  ///   - clips: the clips of its library.
  ///   - seed: 0 … ``Draw/largestSeed``.
  /// - Returns: the plan; also without a stimulus if no clip fits, a problem that checking the protocol reports.
  package static func make(for studyProtocol: StudyProtocol, clips: [Clip], seed: UInt64) -> Plan {
    Plan(seed: seed, stimulus: studyProtocol.steps.lazy.compactMap { stimulus(of: $0, clips, seed) }.first)
  }

  private static func stimulus(of step: Step, _ clips: [Clip], _ seed: UInt64) -> PlannedStimulus? {
    guard case .music(let music) = step.kind else { return nil }
    let candidates = Draw.candidates(for: music, among: clips)
    guard !candidates.isEmpty else { return nil }
    guard case .random = music.clip else {
      return PlannedStimulus(step: step.identifier, music: music, clip: candidates[0], draw: nil)
    }
    let draw = Draw.make(purpose: step.identifier, candidates: candidates.map(\.name), seed: seed)
    guard let clip = candidates.first(where: { $0.name == draw.drawn }) else { return nil }
    return PlannedStimulus(step: step.identifier, music: music, clip: clip, draw: draw)
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
