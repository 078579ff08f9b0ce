/// What a clip's file holds.
public struct ClipContents: Hashable, Sendable {
  /// The format of the sound.
  public var format: SoundFormat
  /// The number of frames of sound, encoder delay and padding of an mp3 taken off.
  public var frames: Int
  /// The file's size in bytes.
  public var bytes: Int
  /// The SHA-256 of the file, 64 lower-case hexadecimal digits; `nil` where it was not asked for.
  public var sha256: String?
  /// The title in its tags.
  public var title: String?
  /// What is odd about the file, in words.
  public var warnings: [String]
}
