extension Draw {
  /// The clips of a library that a music step may play, sorted by the UTF-8 bytes of their names.
  ///
  /// A clip that is too short for the step remains among them; ``ReadProtocol/problems(with:)`` rejects the protocol
  /// for it.
  package static func candidates(for step: MusicStep, among clips: [Clip]) -> [Clip] {
    let fitting =
      switch step.clip {
      case .named(let name): clips.filter { $0.name == name }
      case .random(let names, let mood):
        clips.filter { clip in
          (names.map { $0.contains(clip.name) } ?? true) && (mood.map { $0 == clip.annotation.mood } ?? true)
        }
      }
    return fitting.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }
}
