import Glibc

/// A raised-cosine ramp between silence and full sound.
///
/// Its slope is zero at both ends, so that neither is heard as a click.
enum Ramp {
  /// The factor of frame `index` of a rising ramp that long: above 0, below 1, the same distance from both ends.
  static func factor(_ index: Int, of length: Int) -> Float {
    Float(0.5 - 0.5 * cos(.pi * (Double(index) + 0.5) / Double(length)))
  }
}
