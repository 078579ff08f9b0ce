import Glibc

/// A raised-cosine ramp between silence and full sound.
///
/// Its slope is zero at both ends, so that neither is heard as a click.
enum Ramp {
  /// The factor of frame `index` of a rising ramp that long: above 0, below 1, the same distance from both ends.
  static func factor(_ index: Int, of length: Int) -> Float {
    Float(0.5 - 0.5 * cos(.pi * (Double(index) + 0.5) / Double(length)))
  }

  /// Lets the first `length` frames rise from silence.
  static func rise(_ samples: inout [Float], channels: Int, length: Int) {
    let length = min(length, samples.count / channels)
    for frame in 0..<length {
      let factor = factor(frame, of: length)
      for sample in frame * channels..<(frame + 1) * channels { samples[sample] *= factor }
    }
  }

  /// Lets the last `length` frames fall to silence.
  static func fall(_ samples: inout [Float], channels: Int, length: Int) {
    let frames = samples.count / channels
    let length = min(length, frames)
    for index in 0..<length {
      let factor = factor(index, of: length)
      let frame = frames - 1 - index
      for sample in frame * channels..<(frame + 1) * channels { samples[sample] *= factor }
    }
  }
}
