import Basics

/// An entry of a folder of clips that is not used as a clip.
package struct SkippedFile: Hashable, Sendable, CustomStringConvertible {
  /// Why it is not used.
  package enum Reason: String, Hashable, Sendable {
    /// It is a folder; subfolders are not searched.
    case folder
    /// The extension is that of an unsupported sound format.
    case soundFormat
    /// The extension is not that of a sound format.
    case otherFile
  }

  /// Its path.
  package let path: String
  /// Why it is not used.
  package let reason: Reason

  /// Creates the entry for a path whose name is not a clip's.
  init(_ path: String) {
    self.path = path
    let ending = Folder.name(of: path).lowercased().split(separator: ".").last.map(String.init) ?? ""
    reason = Folder.isFolder(path) ? .folder : Self.sounds.contains(ending) ? .soundFormat : .otherFile
  }

  /// The message for the operator: `skipped “rain.ogg”: this format is not read; convert it to WAV or FLAC`.
  package var description: String { "skipped “\(Folder.name(of: path).visible)”: \(explanation)" }

  /// The reason as text, with advice if the file may have been meant as a clip.
  package var explanation: String {
    switch reason {
    case .folder:
      "it is a folder of its own; “station clips \(path.visible)” shows its clips, and “folder” in a condition draws them"
    case .soundFormat: "this format is not read; convert it to WAV or FLAC"
    case .otherFile: "it is not an audio file by its name; clips end in .mp3, .wav or .flac"
    }
  }

  /// The extensions of unsupported sound formats.
  private static let sounds: Set<String> = [
    "3gp", "aac", "aif", "aifc", "aiff", "amr", "ape", "au", "caf", "dsf", "m4a", "m4b", "mid", "midi", "mka", "mkv",
    "mov",
    "mp2", "mp4", "mpa", "mpc", "oga", "ogg", "opus", "raw", "snd", "tta", "voc", "w64", "wave", "webm", "wma", "wv",
  ]
}
