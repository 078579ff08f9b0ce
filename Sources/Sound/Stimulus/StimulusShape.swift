package import Study

/// What is made of a clip's sound before it is played: its length and its ramps.
package struct StimulusShape: Hashable, Sendable {
  /// How long it lasts, to the nearest frame; `nil` for as long as the clip does.
  package var duration: Duration?
  /// What happens to a clip that is shorter.
  package var whenShorter: MusicStep.WhenShorter
  /// How long it rises from silence; a ramp longer than the sound is as long as the sound.
  package var fadeIn: Duration
  /// How long it falls to silence; where both ramps overlap, both apply.
  package var fadeOut: Duration

  /// A shape.
  package init(
    duration: Duration? = nil, whenShorter: MusicStep.WhenShorter = .end, fadeIn: Duration = .zero,
    fadeOut: Duration = .zero
  ) {
    self.duration = duration
    self.whenShorter = whenShorter
    self.fadeIn = fadeIn
    self.fadeOut = fadeOut
  }

  /// The shape that a step gives to its clip.
  package init(_ step: MusicStep) {
    self.init(
      duration: step.active.stepDuration, whenShorter: step.whenShorter, fadeIn: step.fadeIn, fadeOut: step.fadeOut)
  }

  /// Cuts or loops a sound and gives it its ramps.
  ///
  /// A sound that `MusicStep.WhenShorter.end` lets end early is not filled up: its last frame is its offset. One that is
  /// looped is held once.
  ///
  /// - Parameters:
  ///   - samples: the sound from its first frame, channels interleaved.
  ///   - format: its format.
  /// - Returns: the samples; `nil` when the sound is too short and the shape refuses that.
  package func shaped(_ samples: [Float], in format: SoundFormat) -> StimulusSamples? {
    let own = samples.count / format.channels
    let wanted = duration.map { format.frames(in: $0) } ?? own
    if own < wanted, whenShorter == .refuse { return nil }
    let frames = own < wanted && whenShorter == .end ? own : wanted
    let kept = own > wanted ? Array(samples[..<(wanted * format.channels)]) : samples
    return StimulusSamples(kept, channels: format.channels, frames: frames)
      .rising(over: format.frames(in: fadeIn)).falling(over: format.frames(in: fadeOut))
  }
}
