extension Draw {
  /// The clips of a library that a music step may play, sorted by the UTF-8 bytes of their names.
  ///
  /// A clip that is too short for the step remains among them; ``ReadProtocol/problems(with:)`` rejects the protocol
  /// for it.
  ///
  /// - Parameters:
  ///   - step: a step that names its clip or draws it from a pool of its own.
  ///   - clips: the library's clips.
  /// - Returns: the candidates; none for a step that plays the clip of its trial's condition.
  package static func candidates(for step: MusicStep, among clips: [Clip]) -> [Clip] {
    switch step.clip {
    case .named(let name): clips.filter { $0.name == name }
    case .random(let pool): pool.clips(among: clips)
    case .condition: []
    }
  }
}
