import Glibc

/// The content of a held stream at every frame: silence, a stimulus, silence.
struct Timeline: Sendable {
  let channels: Int
  private var samples: StimulusSamples
  /// The stream's frames that the stimulus occupies.
  private(set) var stimulus = 0..<0
  /// The frames of its final ramp to silence.
  private var fade = 0..<0

  init(channels: Int) {
    self.channels = channels
    samples = StimulusSamples([], channels: channels)
  }

  mutating func place(_ samples: StimulusSamples, at frame: Int) {
    self.samples = samples
    stimulus = frame..<(frame + samples.frames)
    fade = 0..<0
  }

  mutating func place(_ samples: [Float], at frame: Int) {
    place(StimulusSamples(samples, channels: channels), at: frame)
  }

  /// Ends a stimulus with its clip, whose end is known once it is decoded; returns its frames if they are fewer now.
  mutating func shorten() -> Int? {
    guard samples.frames < stimulus.count else { return nil }
    stimulus = stimulus.lowerBound..<(stimulus.lowerBound + samples.frames)
    return stimulus.count
  }

  mutating func clear() { place([], at: 0) }

  /// Ends the stimulus with a half-cosine ramp that begins at `frame`.
  mutating func cut(at frame: Int, over length: Int) {
    let frame = max(frame, stimulus.lowerBound)
    guard frame < stimulus.upperBound else { return }
    fade = frame..<(frame + length)
    stimulus = stimulus.lowerBound..<min(stimulus.upperBound, fade.upperBound)
    if stimulus.lowerBound == frame { stimulus = frame..<frame }
  }

  /// Writes the content from `frame` on; allocates nothing.
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

  /// The factor of the half cosine, from 1 to 0.
  private func gain(at frame: Int) -> Float {
    let progress = (Double(frame - fade.lowerBound) + 0.5) / Double(fade.count)
    return Float(0.5 + 0.5 * cos(.pi * progress))
  }
}
