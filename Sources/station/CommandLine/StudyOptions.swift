import Experiment

extension SpeakerChoice {
  /// The option that says it.
  static let option = CommandSyntax.Option(
    "speaker", value: "SINK|silent", "the sink to play to, or a private server without a loudspeaker")
}

extension LoadedStudy {
  /// The option by which clips are taken from another folder.
  static let clipsOption = CommandSyntax.Option(
    "clips", value: "FOLDER", "take the clips from here instead of where the protocol says")
}
