/// What a clip's file holds.
package struct ClipContents: Hashable, Sendable {
  /// The format of the sound.
  package var format: SoundFormat
  /// The number of frames of sound, encoder delay and padding of an mp3 taken off.
  package var frames: Int
  /// The file's size in bytes.
  package var bytes: Int
  /// The SHA-256 of the file, 64 lower-case hexadecimal digits; `nil` where it was not asked for.
  package var sha256: String?
  /// The title in its tags.
  package var title: String?
  /// What is odd about the file, in words.
  package var warnings: [String]
}
