import Glibc

/// The samples of a stimulus: a sound that may be looped, its ramps, and an offset into it.
///
/// A loop's samples are held once, however long it lasts; each sample is computed on access.
struct StimulusSamples: Sendable, RandomAccessCollection {
  struct Slope: Hashable, Sendable {
    /// The range of the whole sound's frames that it changes.
    var frames: Range<Int>
    /// Whether it rises from silence; otherwise it falls to silence.
    var isRise: Bool
  }

  var channels: Int { layout?.sources.count ?? held }

  var count: Int { frames * channels }

  /// The number of frames; of a clip whose end is not decoded yet, the number that is wanted.
  var frames: Int { Swift.min(length, clip?.end.map { Swift.max(0, $0 - dropped) } ?? .max) }

  var failure: ClipError? { clip?.failure }

  private var length: Int
  /// The clip that is decoded meanwhile, in place of a period.
  private let clip: ClipStream?
  /// One period of the sound, in frames of so many samples.
  private let period: [Float]
  private let held: Int
  /// Where its channels lie among those of a sink; `nil` for the sound's own.
  private var layout: MarkerChannel.Layout?
  /// The number of frames dropped from the beginning of the whole sound.
  private var dropped = 0
  /// What every sample is multiplied by.
  private var factor: Float = 1
  /// The ramps, in frames of the whole sound.
  private var slopes: [Slope] = []

  /// Wraps samples as they are.
  ///
  /// - Precondition: the samples are whole frames.
  init(_ samples: [Float], channels: Int) { self.init(samples, channels: channels, frames: samples.count / channels) }

  /// Loops samples up to a number of frames; without samples the stimulus is empty.
  ///
  /// - Precondition: the samples are whole frames.
  init(_ samples: [Float], channels: Int, frames: Int) {
    precondition(samples.count % channels == 0, "a stimulus is made of whole frames")
    held = channels
    period = samples
    clip = nil
    length = samples.isEmpty ? 0 : frames
  }

  /// Takes at most so many frames of a clip, which is decoded as they are written.
  init(_ clip: ClipStream, frames: Int) {
    held = clip.format.channels
    period = []
    self.clip = clip
    length = frames
  }

  /// Adds a ramp from silence to the first frames.
  func rising(over length: Int) -> StimulusSamples {
    with(Slope(frames: dropped..<(dropped + Swift.min(length, frames)), isRise: true))
  }

  /// Adds a ramp to silence to the last frames.
  func falling(over length: Int) -> StimulusSamples {
    let end = dropped + frames
    return with(Slope(frames: (end - Swift.min(length, frames))..<end, isRise: false))
  }

  func dropping(frames count: Int) -> StimulusSamples {
    var rest = self
    let count = Swift.min(Swift.max(0, count), frames)
    rest.dropped += count
    rest.length -= count
    return rest
  }

  func scaled(by factor: Float) -> StimulusSamples {
    var copy = self
    copy.factor *= factor
    return copy
  }

  /// Puts the sound on other channels, with a pulse on one of them where the layout has one.
  func laidOut(_ layout: MarkerChannel.Layout) -> StimulusSamples {
    precondition(clip == nil, "the channels of a clip that is decoded meanwhile are its own")
    var copy = self
    copy.layout = layout
    return copy
  }

  private func with(_ slope: Slope) -> StimulusSamples {
    guard !slope.frames.isEmpty else { return self }
    var copy = self
    copy.slopes.append(slope)
    return copy
  }

  // MARK: Samples

  var startIndex: Int { 0 }
  var endIndex: Int { count }

  /// The sample with the ramps applied.
  subscript(position: Int) -> Float {
    precondition(position >= 0 && position < count, "a stimulus ends with its last sample")
    let frame = dropped + position / channels
    var channel = position % channels
    if let layout {
      if let pulse = layout.pulse(channel, at: position / channels) { return pulse }
      guard let source = layout.sources[channel] else { return 0 }
      channel = source
    }
    var sample =
      factor
      * (clip.map { $0.samples(frame..<(frame + 1)).dropFirst(channel).first ?? 0 }
        ?? period[(frame * held + channel) % period.count])
    for slope in slopes where slope.frames.contains(frame) { sample *= slope.factor(at: frame) }
    return sample
  }

  /// Writes frames into a buffer from an index on; allocates nothing, unless a clip is decoded.
  func write(_ frames: Range<Int>, into buffer: inout MutableSpan<Float>, at index: Int) {
    if let layout { return write(frames, into: &buffer, at: index, layout) }
    let whole = (frames.lowerBound + dropped)..<(frames.upperBound + dropped)
    var into = index
    let end = index + frames.count * channels
    if let clip {
      for sample in clip.samples(whole) {
        buffer[into] = factor * sample
        into += 1
      }
      while into < end {
        buffer[into] = 0
        into += 1
      }
    }
    var from = whole.lowerBound * channels % Swift.max(1, period.count)
    while into < end {
      let run = Swift.min(end - into, period.count - from)
      for offset in 0..<run { buffer[into + offset] = factor * period[from + offset] }
      into += run
      from = 0
    }
    for slope in slopes {
      for frame in slope.frames.clamped(to: whole) {
        let factor = slope.factor(at: frame)
        let first = index + (frame - whole.lowerBound) * channels
        for sample in first..<(first + channels) { buffer[sample] *= factor }
      }
    }
  }

  /// Writes frames of a sound that is laid out.
  private func write(
    _ frames: Range<Int>, into buffer: inout MutableSpan<Float>, at index: Int, _ layout: MarkerChannel.Layout
  ) {
    var from = (dropped + frames.lowerBound) * held % Swift.max(1, period.count)
    var into = index
    for frame in frames {
      for channel in layout.sources.indices {
        var sample = layout.pulse(channel, at: frame)
        if sample == nil, let source = layout.sources[channel] {
          var played = factor * period[from + source]
          for slope in slopes where slope.frames.contains(dropped + frame) {
            played *= slope.factor(at: dropped + frame)
          }
          sample = played
        }
        buffer[into] = sample ?? 0
        into += 1
      }
      from += held
      if from == period.count { from = 0 }
    }
  }

  /// Whether each channel is that of a sink.
  var isLaidOut: Bool { layout != nil }
}

extension StimulusSamples.Slope {
  /// The factor of a frame's samples.
  fileprivate func factor(at frame: Int) -> Float {
    Ramp.factor(isRise ? frame - frames.lowerBound : frames.upperBound - 1 - frame, of: frames.count)
  }
}

/// A raised-cosine ramp between silence and full sound.
///
/// Its slope is zero at both ends, which avoids clicks.
enum Ramp {
  /// The factor of frame `index` in a rising ramp of that length: above 0, below 1, symmetric at both ends.
  static func factor(_ index: Int, of length: Int) -> Float {
    Float(0.5 - 0.5 * cos(.pi * (Double(index) + 0.5) / Double(length)))
  }
}
