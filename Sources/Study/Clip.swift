/// A file that can be a stimulus, as it was found when the library was read.
public struct Clip: Hashable, Sendable {
  /// The file's name without its ending: what results call the clip.
  public var name: String

  /// The path of the file.
  public var path: String

  /// The file's size in bytes.
  public var bytes: Int

  /// The SHA-256 of the file, 64 lower-case hexadecimal digits.
  public var sha256: String

  /// The number of sample frames that it decodes to, encoder delay and padding of an mp3 taken off.
  public var frames: Int

  /// Sample frames a second.
  public var sampleRate: Int

  /// The number of channels.
  public var channels: Int

  /// What the library says about it.
  public var annotation: ClipAnnotation

  /// A clip.
  public init(
    name: String, path: String, bytes: Int, sha256: String, frames: Int, sampleRate: Int, channels: Int,
    annotation: ClipAnnotation = ClipAnnotation()
  ) {
    self.name = name
    self.path = path
    self.bytes = bytes
    self.sha256 = sha256
    self.frames = frames
    self.sampleRate = sampleRate
    self.channels = channels
    self.annotation = annotation
  }

  /// The length of the decoded sound.
  public var duration: Duration { .seconds(Double(frames) / Double(sampleRate)) }
}

/// What a library's `clips.json` says about a clip; `nil` where it says nothing.
public struct ClipAnnotation: Hashable, Sendable {
  /// The piece's title.
  public var title: String?
  /// The mood that it is meant to have.
  public var mood: String?
  /// Beats a minute.
  public var tempo: Double?
  /// The SPDX identifier of its licence.
  public var licence: String?

  /// An annotation.
  public init(title: String? = nil, mood: String? = nil, tempo: Double? = nil, licence: String? = nil) {
    self.title = title
    self.mood = mood
    self.tempo = tempo
    self.licence = licence
  }
}
