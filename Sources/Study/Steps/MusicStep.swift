/// A step that plays one clip.
package struct MusicStep: Hashable, Sendable {
  /// The properties of every active step; the duration is above zero: the stimulus lasts exactly that long.
  package var activeStep: ActiveStep
  /// The choice of the clip.
  package var clip: ClipChoice
  /// The treatment of a clip that is shorter than the step.
  package var whenShorter: WhenShorter
  /// The length of the rise from silence (a raised-cosine ramp within the step's duration).
  package var fadeIn: Duration
  /// The length of the fall to silence (a raised-cosine ramp within the step's duration).
  package var fadeOut: Duration
  /// The loudness target; `nil` plays the file as it is.
  package var loudness: LoudnessTarget?
  /// The heartbeat that its onset follows; `nil` for an onset as soon as possible.
  package var onset: OnsetLock?

  /// The maximum number of a clip's samples in memory, over all channels.
  ///
  /// They take 2 GiB: an hour and 40 minutes of CD stereo. A shorter clip may be looped for as long as the step lasts.
  package static let maxSamples = 1 << 29

  /// The treatment of a clip that is shorter than the step.
  package enum WhenShorter: String, Sendable, CaseIterable {
    /// The protocol is rejected for that clip.
    case refuse
    /// The clip repeats without a gap.
    case loop
    /// The clip ends, and silence follows until the step's end.
    case end
  }

  /// Creates a music step.
  package init(
    active: ActiveStep, clip: ClipChoice = .random(ClipPool()), whenShorter: WhenShorter = .refuse,
    fadeIn: Duration = .zero, fadeOut: Duration = .zero, loudness: LoudnessTarget? = nil
  ) {
    activeStep = active
    self.clip = clip
    self.whenShorter = whenShorter
    self.fadeIn = fadeIn
    self.fadeOut = fadeOut
    self.loudness = loudness
  }
}

/// The choice of a music step's clip.
package enum ClipChoice: Hashable, Sendable {
  /// The clip with that name.
  case named(String)
  /// A random draw from a pool.
  case random(ClipPool)
  /// As the trial's condition says; in the template of a ``TrialsStep`` only.
  case condition
}

/// A loudness that a clip is brought to by a constant gain (ITU-R BS.1770-4, EBU R 128).
package struct LoudnessTarget: Hashable, Sendable, Codable {
  /// The integrated loudness of the played sound, in LUFS.
  package var integrated: Double
  /// The limit for the true peak, in dBTP; the gain is lowered to respect it.
  package var truePeakLimit: Double

  private enum CodingKeys: String, CodingKey {
    case integrated = "integrated_LUFS"
    case truePeakLimit = "truePeakLimit_dBTP"
  }

  /// The largest deviation from the target, in LU, that still counts as meeting it.
  package static let negligible = 0.05

  /// Creates a target.
  package init(integrated: Double, truePeakLimit: Double = -1) {
    self.integrated = integrated
    self.truePeakLimit = truePeakLimit
  }
}

extension Draw {
  /// The clips of a library that a music step may play, sorted by the UTF-8 bytes of their names.
  ///
  /// A clip that is too short for the step remains among them; ``ReadProtocol/problems(with:)`` rejects the protocol
  /// for it.
  ///
  /// - Parameters:
  ///   - step: a step that names its clip or draws it from a pool of its own.
  ///   - clips: the library's clips.
  /// - Returns: the candidates; none for a step that plays the clip of its trial's condition.
  package static func candidates(for step: MusicStep, among clips: [Clip]) -> [Clip] {
    switch step.clip {
    case .named(let name): clips.filter { $0.name == name }
    case .random(let pool): pool.clips(among: clips)
    case .condition: []
    }
  }
}
