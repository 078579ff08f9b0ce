package import Study

/// The shape of a clip's sound in a trial: its duration and ramps.
package struct StimulusShape: Hashable, Sendable {
  /// The duration, to the nearest frame; `nil` for the clip's own.
  package var duration: Duration?
  /// The treatment of a clip that is shorter.
  package var whenShorter: MusicStep.WhenShorter
  /// The length of the rise from silence; limited to the length of the sound.
  package var fadeIn: Duration
  /// The length of the fall to silence; where both ramps overlap, both apply.
  package var fadeOut: Duration

  /// Creates a shape.
  package init(
    duration: Duration? = nil, whenShorter: MusicStep.WhenShorter = .end, fadeIn: Duration = .zero,
    fadeOut: Duration = .zero
  ) {
    self.duration = duration
    self.whenShorter = whenShorter
    self.fadeIn = fadeIn
    self.fadeOut = fadeOut
  }

  /// Takes the shape from a step.
  package init(_ step: MusicStep) {
    self.init(
      duration: step.activeStep.stepDuration, whenShorter: step.whenShorter, fadeIn: step.fadeIn, fadeOut: step.fadeOut)
  }

  /// Cuts or loops a sound and applies its ramps.
  ///
  /// A sound that ends early under `MusicStep.WhenShorter.end` is not padded: its last frame is its offset. A looped
  /// sound is held once.
  ///
  /// - Parameters:
  ///   - samples: the sound from its first frame, channels interleaved.
  ///   - format: the sound's format.
  /// - Returns: the samples; `nil` if the sound is too short and the shape refuses that.
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
