package import Study

/// How loud a sound is.
package struct Loudness: Hashable, Sendable {
  /// The integrated loudness in LUFS; `nil` when nothing in it passes the gate of −70 LUFS, or it lasts less than 0.4 s.
  package var integrated: Double?

  /// The true peak in dBTP; `nil` for digital silence.
  package var truePeak: Double?

  /// A loudness.
  package init(integrated: Double?, truePeak: Double?) {
    self.integrated = integrated
    self.truePeak = truePeak
  }

  /// The constant gain that brings a sound of this loudness to a target.
  ///
  /// - Returns: `nil` when the loudness could not be measured.
  package func gain(to target: LoudnessTarget) -> LoudnessGain? {
    guard let integrated else { return nil }
    let wanted = target.integrated - integrated
    let allowed = truePeak.map { target.truePeakLimit - $0 } ?? wanted
    return LoudnessGain(decibels: min(wanted, allowed), wanted: wanted)
  }
}

/// A gain that was derived from a loudness target.
package struct LoudnessGain: Hashable, Sendable {
  /// The gain to apply, in decibels.
  package var decibels: Double

  /// The gain that the target alone asks for, in decibels; more than ``decibels`` where the true peak forbids it.
  package var wanted: Double

  /// Whether the target is missed so that the true peak stays under its limit.
  package var isLimited: Bool { decibels < wanted }
}
