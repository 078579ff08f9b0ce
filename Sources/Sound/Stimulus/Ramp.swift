import Glibc

/// A raised-cosine ramp between silence and full sound.
///
/// Its slope is zero at both ends, which avoids clicks.
enum Ramp {
  /// The factor of frame `index` in a rising ramp of that length: above 0, below 1, symmetric at both ends.
  static func factor(_ index: Int, of length: Int) -> Float {
    Float(0.5 - 0.5 * cos(.pi * (Double(index) + 0.5) / Double(length)))
  }
}
