public import Study

/// What is made of a clip's sound before it is played: its length and its ramps.
public struct StimulusShape: Hashable, Sendable {
  /// How long it lasts, to the nearest frame; `nil` for as long as the clip does.
  public var duration: Duration?
  /// What happens to a clip that is shorter.
  public var whenShorter: MusicStep.WhenShorter
  /// How long it rises from silence; a ramp longer than the sound is as long as the sound.
  public var fadeIn: Duration
  /// How long it falls to silence; where both ramps overlap, both apply.
  public var fadeOut: Duration

  /// A shape.
  public init(
    duration: Duration? = nil, whenShorter: MusicStep.WhenShorter = .end, fadeIn: Duration = .zero,
    fadeOut: Duration = .zero
  ) {
    self.duration = duration
    self.whenShorter = whenShorter
    self.fadeIn = fadeIn
    self.fadeOut = fadeOut
  }

  /// The shape that a step gives to its clip.
  public init(_ step: MusicStep) {
    self.init(
      duration: step.active.stepDuration, whenShorter: step.whenShorter, fadeIn: step.fadeIn, fadeOut: step.fadeOut)
  }

  /// Cuts or loops a sound and gives it its ramps.
  ///
  /// A sound that `MusicStep.WhenShorter.end` lets end early is not filled up: its last frame is its offset.
  ///
  /// - Parameters:
  ///   - samples: the sound from its first frame, channels interleaved.
  ///   - format: its format.
  /// - Returns: `false` when the sound is too short and the shape refuses that; it is left as it was.
  public func apply(to samples: inout [Float], in format: SoundFormat) -> Bool {
    if let duration {
      let wanted = format.frames(in: duration) * format.channels
      if samples.count > wanted {
        samples.removeLast(samples.count - wanted)
      } else if samples.count < wanted {
        switch whenShorter {
        case .refuse: return false
        case .end: break
        case .loop: Self.loop(&samples, to: wanted)
        }
      }
    }
    Ramp.rise(&samples, channels: format.channels, length: format.frames(in: fadeIn))
    Ramp.fall(&samples, channels: format.channels, length: format.frames(in: fadeOut))
    return true
  }

  private static func loop(_ samples: inout [Float], to count: Int) {
    let period = samples.count
    guard period > 0 else { return }
    samples.reserveCapacity(count)
    while samples.count < count { samples.append(contentsOf: samples[..<min(period, count - samples.count)]) }
  }
}
