package import Study

/// The loudness and true peak of a sound.
package struct Loudness: Hashable, Sendable {
  /// The integrated loudness in LUFS; `nil` if no block passes the gate of −70 LUFS, or if the sound is shorter than
  /// 0.4 s.
  package var integrated: Double?

  /// The true peak in dBTP; `nil` for digital silence.
  package var truePeak: Double?

  /// Creates a loudness.
  package init(integrated: Double?, truePeak: Double?) {
    self.integrated = integrated
    self.truePeak = truePeak
  }

  /// The constant gain that brings a sound of this loudness to a target.
  ///
  /// - Returns: `nil` if the loudness could not be measured.
  package func gain(to target: LoudnessTarget) -> LoudnessGain? {
    guard let integrated else { return nil }
    let wanted = target.integrated - integrated
    let allowed = truePeak.map { target.truePeakLimit - $0 } ?? wanted
    return LoudnessGain(decibels: min(wanted, allowed), wanted: wanted)
  }
}

/// A gain derived from a loudness target.
package struct LoudnessGain: Hashable, Sendable {
  /// The gain to apply, in decibels.
  package var decibels: Double

  /// The gain that the target alone requires, in decibels; more than ``decibels`` if the true peak limits it.
  package var wanted: Double

  /// Whether the gain was reduced to keep the true peak within its limit, so that the target is missed.
  package var isLimited: Bool { decibels < wanted }
}
