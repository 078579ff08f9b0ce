import Basics

/// A file that can be a stimulus, as it was found when the library was read.
package struct Clip: Hashable, Sendable, FlatInJSON {
  /// The file's name without its ending: what results call the clip.
  package var name: String

  /// The name of its file.
  package var file: String

  /// The folder of the file with a slash at its end; not written down, since it is no one else's.
  private var folder = ""

  /// The path of the file; its name alone for a clip that was read from a journal.
  package var path: String { folder + file }

  /// The file's size in bytes.
  package var bytes: Int

  /// The SHA-256 of the file, 64 lower-case hexadecimal digits.
  package var sha256: String

  /// The number of sample frames that it decodes to, encoder delay and padding of an mp3 taken off.
  package var frames: Int

  /// Sample frames a second.
  package var sampleRate: Int

  /// The number of channels.
  package var channels: Int

  /// What the library says about it.
  package var annotation: ClipAnnotation

  private enum CodingKeys: String, CodingKey {
    case name, file, bytes, sha256, frames, sampleRate, channels, annotation
  }

  /// A clip.
  package init(
    name: String, path: String, bytes: Int, sha256: String, frames: Int, sampleRate: Int, channels: Int,
    annotation: ClipAnnotation = ClipAnnotation()
  ) {
    self.name = name
    let start = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
    folder = String(path[..<start])
    file = String(path[start...])
    self.bytes = bytes
    self.sha256 = sha256
    self.frames = frames
    self.sampleRate = sampleRate
    self.channels = channels
    self.annotation = annotation
  }

  /// The length of the decoded sound.
  package var duration: Duration { .seconds(Double(frames) / Double(sampleRate)) }
}

/// What a library's `clips.json` says about a clip; `nil` where it says nothing.
package struct ClipAnnotation: Hashable, Sendable, FlatInJSON {
  /// The piece's title.
  package var title: String?
  /// The mood that it is meant to have.
  package var mood: String?
  /// Beats a minute.
  package var tempo: Double?
  /// The SPDX identifier of its licence.
  package var licence: String?

  private enum CodingKeys: String, CodingKey {
    case title, mood, licence
    case tempo = "tempo_bpm"
  }

  /// An annotation.
  package init(title: String? = nil, mood: String? = nil, tempo: Double? = nil, licence: String? = nil) {
    self.title = title
    self.mood = mood
    self.tempo = tempo
    self.licence = licence
  }
}
