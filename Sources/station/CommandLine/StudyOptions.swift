import Glibc
import Laboratory
import Quantities
import Sensors
import Session

extension SpeakerChoice {
  /// The `--speaker` option.
  static let option = CommandSyntax.Option(
    "speaker", value: "SINK|silent",
    "the sink to play to, “default” for the server's own choice, after “pipewire:” or “pulse:” on that server, or a "
      + "private server without a loudspeaker")
}

extension LoadedStudy {
  /// The `--clips` option, which takes the clips from another folder.
  static let clipsOption = CommandSyntax.Option(
    "clips", value: "FOLDER", "take the clips from this folder instead of the protocol's")
}

extension AppliedSettings {
  /// The `--results` option of commands that only take settings from the folder.
  static let resultsOption = CommandSyntax.Option(
    "results", value: "FOLDER", "the results folder, whose station.json applies (default: results)")

  /// The settings files of a call.
  init(_ arguments: Arguments) throws(SettingsError) { try self.init(results: arguments["results"] ?? "results") }

  /// The settings files of a results folder and of the user.
  init(results: String) throws(SettingsError) {
    try self.init(results: results) { name in unsafe getenv(name).map { unsafe String(cString: $0) } }
  }

  /// The speaker: the option's, else that of the settings.
  func speaker(_ arguments: Arguments) -> SpeakerChoice { SpeakerChoice(arguments["speaker"] ?? speaker?.value) }
}
