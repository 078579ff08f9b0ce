import Basics

/// Something in a folder of clips that is not used as a clip.
package struct SkippedFile: Hashable, Sendable, CustomStringConvertible {
  /// Why it is not used.
  package enum Reason: String, Hashable, Sendable {
    /// It is a folder, and only the folder itself is looked through.
    case folder
    /// Its name says a format of sound that is not read.
    case soundFormat
    /// Its name says no format of sound.
    case otherFile
  }

  /// Its path.
  package let path: String
  /// Why it is not used.
  package let reason: Reason

  /// Something that lies in a folder of clips under a name that is no clip's.
  init(_ path: String) {
    self.path = path
    let ending = Folder.name(of: path).lowercased().split(separator: ".").last.map(String.init) ?? ""
    reason = Folder.isFolder(path) ? .folder : Self.sounds.contains(ending) ? .soundFormat : .otherFile
  }

  /// `skipped “rain.ogg”: this format is not read; convert it to WAV or FLAC`.
  package var description: String { "skipped “\(Folder.name(of: path).visible)”: \(explanation)" }

  /// The reason in words, with what to do where a clip may have been meant.
  package var explanation: String {
    switch reason {
    case .folder: "it is a folder; clips lie directly in the folder of clips"
    case .soundFormat: "this format is not read; convert it to WAV or FLAC"
    case .otherFile: "it is not an audio file by its name; clips end in .mp3, .wav or .flac"
    }
  }

  /// How the names of files with sound end, of which no clip is made.
  private static let sounds: Set<String> = [
    "3gp", "aac", "aif", "aifc", "aiff", "amr", "ape", "au", "caf", "dsf", "m4a", "m4b", "mid", "midi", "mka", "mkv",
    "mov",
    "mp2", "mp4", "mpa", "mpc", "oga", "ogg", "opus", "raw", "snd", "tta", "voc", "w64", "wave", "webm", "wma", "wv",
  ]
}
