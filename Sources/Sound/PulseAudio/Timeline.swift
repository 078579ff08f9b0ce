import Glibc

/// What a held stream sounds like at every frame: silence, a stimulus, silence.
struct Timeline: Sendable {
  /// Samples a frame.
  let channels: Int
  private var samples: StimulusSamples
  /// The frames of the stream on which the stimulus lies.
  private(set) var stimulus = 0..<0
  /// The frames on which it falls to silence.
  private var fade = 0..<0

  /// Silence for ever.
  init(channels: Int) {
    self.channels = channels
    samples = StimulusSamples([], channels: channels)
  }

  /// Lays a stimulus on the timeline, in place of any other.
  mutating func place(_ samples: StimulusSamples, at frame: Int) {
    self.samples = samples
    stimulus = frame..<(frame + samples.frames)
    fade = 0..<0
  }

  /// Lays plain samples on the timeline, in place of any other stimulus.
  mutating func place(_ samples: [Float], at frame: Int) {
    place(StimulusSamples(samples, channels: channels), at: frame)
  }

  /// Takes the stimulus away.
  mutating func clear() { place([], at: 0) }

  /// Lets the stimulus fall to silence over the half of a cosine that begins at `frame`.
  mutating func cut(at frame: Int, over length: Int) {
    let frame = max(frame, stimulus.lowerBound)
    guard frame < stimulus.upperBound else { return }
    fade = frame..<(frame + length)
    stimulus = stimulus.lowerBound..<min(stimulus.upperBound, fade.upperBound)
    if stimulus.lowerBound == frame { stimulus = frame..<frame }
  }

  /// Writes what sounds from `frame` on; allocates nothing.
  func fill(_ buffer: inout MutableSpan<Float>, from frame: Int) {
    let frames = buffer.count / channels
    let sounding = stimulus.clamped(to: frame..<(frame + frames))
    for index in 0..<((sounding.lowerBound - frame) * channels) { buffer[index] = 0 }
    guard !sounding.isEmpty else {
      for index in 0..<buffer.count { buffer[index] = 0 }
      return
    }
    let into = (sounding.lowerBound - frame) * channels
    let from = sounding.lowerBound - stimulus.lowerBound
    samples.write(from..<(from + sounding.count), into: &buffer, at: into)
    for index in (into + sounding.count * channels)..<buffer.count { buffer[index] = 0 }
    for faded in fade.clamped(to: sounding) {
      let gain = self.gain(at: faded)
      for channel in 0..<channels { buffer[(faded - frame) * channels + channel] *= gain }
    }
  }

  /// Half a cosine, from 1 to 0.
  private func gain(at frame: Int) -> Float {
    let progress = (Double(frame - fade.lowerBound) + 0.5) / Double(fade.count)
    return Float(0.5 + 0.5 * cos(.pi * progress))
  }
}
