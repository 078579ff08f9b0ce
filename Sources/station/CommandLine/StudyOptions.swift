import Experiment

extension SpeakerChoice {
  /// The `--speaker` option.
  static let option = CommandSyntax.Option(
    "speaker", value: "SINK|silent", "the sink to play to, or a private server without a loudspeaker")
}

extension LoadedStudy {
  /// The `--clips` option, which takes the clips from another folder.
  static let clipsOption = CommandSyntax.Option(
    "clips", value: "FOLDER", "take the clips from this folder instead of the protocol's")
}
