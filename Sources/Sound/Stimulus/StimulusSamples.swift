/// The samples of a stimulus: a sound that may be repeated, ramps upon it, and where of it they begin.
///
/// A loop's samples are held once, however long it lasts; what sounds at a frame is worked out when it is asked for.
package struct StimulusSamples: Sendable, RandomAccessCollection {
  /// A ramp that lies on the sound.
  struct Slope: Hashable, Sendable {
    /// The frames of the whole sound that it changes.
    var frames: Range<Int>
    /// Whether it rises from silence, or falls to it.
    var isRise: Bool
  }

  /// Samples a frame.
  package let channels: Int

  /// The number of samples.
  package private(set) var count: Int

  /// The sound itself, once.
  private let period: [Float]
  /// How many frames of the whole sound have been dropped in front.
  private var dropped = 0
  /// What falls and rises, on frames of the whole sound.
  private var slopes: [Slope] = []

  /// The samples as they are.
  ///
  /// - Precondition: they are whole frames.
  init(_ samples: [Float], channels: Int) { self.init(samples, channels: channels, frames: samples.count / channels) }

  /// The samples again and again, up to a number of frames.
  ///
  /// - Precondition: they are whole frames; without any, there is nothing to repeat.
  init(_ samples: [Float], channels: Int, frames: Int) {
    precondition(samples.count % channels == 0, "a stimulus is made of whole frames")
    self.channels = channels
    period = samples
    count = samples.isEmpty ? 0 : frames * channels
  }

  /// The number of frames.
  var frames: Int { count / channels }

  /// The same with the first frames rising from silence.
  func rising(over length: Int) -> StimulusSamples {
    with(Slope(frames: dropped..<(dropped + Swift.min(length, frames)), isRise: true))
  }

  /// The same with the last frames falling to silence.
  func falling(over length: Int) -> StimulusSamples {
    let end = dropped + frames
    return with(Slope(frames: (end - Swift.min(length, frames))..<end, isRise: false))
  }

  /// What follows the first frames.
  func dropping(frames count: Int) -> StimulusSamples {
    var rest = self
    let count = Swift.min(Swift.max(0, count), frames)
    rest.dropped += count
    rest.count -= count * channels
    return rest
  }

  private func with(_ slope: Slope) -> StimulusSamples {
    guard !slope.frames.isEmpty else { return self }
    var copy = self
    copy.slopes.append(slope)
    return copy
  }

  // MARK: Samples

  /// 0.
  package var startIndex: Int { 0 }
  /// The number of samples.
  package var endIndex: Int { count }

  /// A sample as it sounds.
  package subscript(position: Int) -> Float {
    precondition(position >= 0 && position < count, "a stimulus ends with its last sample")
    let frame = dropped + position / channels
    var sample = period[(dropped * channels + position) % period.count]
    for slope in slopes where slope.frames.contains(frame) { sample *= slope.factor(at: frame) }
    return sample
  }

  /// Writes frames into a buffer; allocates nothing.
  ///
  /// - Parameters:
  ///   - frames: which.
  ///   - buffer: where.
  ///   - index: the index of the buffer at which the first of them goes.
  func write(_ frames: Range<Int>, into buffer: inout MutableSpan<Float>, at index: Int) {
    var from = (dropped + frames.lowerBound) * channels % Swift.max(1, period.count)
    var into = index
    let end = index + frames.count * channels
    while into < end {
      let run = Swift.min(end - into, period.count - from)
      for offset in 0..<run { buffer[into + offset] = period[from + offset] }
      into += run
      from = 0
    }
    let whole = (frames.lowerBound + dropped)..<(frames.upperBound + dropped)
    for slope in slopes {
      for frame in slope.frames.clamped(to: whole) {
        let factor = slope.factor(at: frame)
        let first = index + (frame - whole.lowerBound) * channels
        for sample in first..<(first + channels) { buffer[sample] *= factor }
      }
    }
  }
}

extension StimulusSamples.Slope {
  /// What a sample of that frame is multiplied by.
  fileprivate func factor(at frame: Int) -> Float {
    Ramp.factor(isRise ? frame - frames.lowerBound : frames.upperBound - 1 - frame, of: frames.count)
  }
}
