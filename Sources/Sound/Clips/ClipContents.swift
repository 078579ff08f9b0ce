/// The properties of a clip's file.
package struct ClipContents: Hashable, Sendable {
  /// The format of the sound.
  package var format: SoundFormat
  /// The number of frames, without the encoder delay and padding of an mp3.
  package var frames: Int
  /// The file's size in bytes.
  package var bytes: Int
  /// The SHA-256 of the file, 64 lower-case hexadecimal digits; `nil` if it was not requested.
  package var sha256: String?
  /// The title in its tags.
  package var title: String?
  /// Anomalies of the file, as text.
  package var warnings: [String]
}
