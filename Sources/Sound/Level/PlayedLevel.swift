import Study

/// What decides at which level a stimulus is played.
package struct LevelControl: Hashable, Sendable {
  /// The loudness of the stimulus before its own gain; `nil` where that was not measured.
  package var loudness: Loudness?
  /// Its own gain, in decibels.
  package var gain = 0.0
  /// The gain that the participant has chosen; `nil` where nothing was.
  package var chosen: Double?
  /// The level of −23 LUFS through this speaker, in dB SPL; `nil` where it is not calibrated.
  package var calibrated: Double?
  /// The highest level, in dB SPL.
  package var maximum = StudyProtocol.maximumLevel

  /// The true peak that a chosen gain does not pass, in dBTP.
  static let peakLimit = -1.0

  package init() {}

  /// The highest gain of noise of −23 LUFS that the limit of the level allows.
  package var highestNoise: Double { calibrated.map { maximum - $0 } ?? .infinity }

  /// The gain of speech, which has −23 LUFS: below 0 where the limit of the level asks for it.
  package var speechGain: Double { min(0, highestNoise) }

  /// The gain of the tones of steps: a sine of −20 dBFS in both channels has −20 LUFS, 3 dB more than speech.
  package var toneGain: Double { min(0, highestNoise - 3) }

  /// The level; `nil` where nothing was chosen and nothing is known.
  package var level: PlayedLevel? {
    guard chosen != nil || calibrated != nil else { return nil }
    let wanted = chosen ?? 0
    // What clips by itself is not made softer, but not louder either.
    let room = loudness?.truePeak.map { max(0, Self.peakLimit - $0 - gain) } ?? .infinity
    let unclipped = min(wanted, room)
    let loud = calibrated.flatMap { calibrated in
      loudness?.integrated.map { calibrated + $0 + gain - Speech.target.integrated + unclipped }
    }
    let excess = loud.map { max(0, $0 - maximum) } ?? 0
    return PlayedLevel(
      volume: unclipped - excess, chosen: chosen, unclipped: unclipped, level: loud.map { $0 - excess },
      maximum: maximum)
  }
}

/// The level at which a stimulus is played.
package struct PlayedLevel: Hashable, Sendable, Codable {
  /// The gain beyond that of the clip, in decibels.
  package let volume: Double
  /// What the participant has chosen; `nil` where nothing was.
  package let chosen: Double?
  /// What of that does not clip.
  package let unclipped: Double
  /// The level in dB SPL; `nil` for a speaker that is not calibrated, or a loudness that is not known.
  package let level: Double?
  /// The highest level of the protocol, in dB SPL.
  package let maximum: Double

  private enum CodingKeys: String, CodingKey {
    case volume = "volume_dB"
    case chosen = "chosen_dB"
    case unclipped = "unclipped_dB"
    case level = "level_dBSPL"
    case maximum = "maximumLevel_dBSPL"
  }

  /// Whether what was chosen would have clipped.
  package var isLimitedByPeak: Bool { chosen.map { unclipped < $0 } ?? false }

  package var isLimitedByLevel: Bool { volume < unclipped }
}

extension Stimulus {
  /// The stimulus with a further gain, whose samples are not copied.
  package func amplified(decibels: Double) -> Stimulus {
    decibels == 0
      ? self : Stimulus(sampleRate: format.sampleRate, samples.scaled(by: Self.factor(decibels: decibels)))
  }
}
