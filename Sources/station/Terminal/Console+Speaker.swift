import Sound

extension Console {
  /// What the status line says meanwhile: a card is looked at for up to 23 seconds.
  static let preparesSpeaker = "making the sound ready; a sound card can take 25 s"

  /// Prepares a speaker, which the status line says meanwhile.
  func prepare(_ speaker: any Speaker, for format: SoundFormat) async throws {
    show(status: Self.preparesSpeaker)
    defer { show(status: "") }
    try await speaker.prepare(format)
    try await speaker.learn()
  }
}
