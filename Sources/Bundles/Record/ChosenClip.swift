import Basics
package import Study

/// The clip of a trial and how it was chosen and prepared.
package struct ChosenClip: Hashable, Sendable, Codable, CheckedInJSON {
  /// The music step.
  var step: String
  package var clip: Clip
  /// The draw; `nil` for a clip that the protocol names.
  package var draw: Draw?
  /// The time of the clip from which on it is played: 0 for its beginning.
  package var start: Duration
  /// How long it is to sound.
  package var requested: Duration
  /// The gain that was applied, in decibels; 0 plays the file as it is.
  package var gain: Double
  /// The integrated loudness of what is played, before the gain, in LUFS; where it was measured and is not silent.
  package var loudness: Double?
  /// The true peak of what is played, before the gain, in dBTP, where it was measured.
  package var truePeak: Double?
  /// The loudness that was asked for; `nil` where none was.
  package var target: LoudnessTarget?
  /// The loudness that was reached, in LUFS, where it was measured.
  package var reachedLoudness: Double? { loudness.map { $0 + gain } }
  /// What was odd about the file, and makes the trial suspect.
  var warnings: [String]

  private enum CodingKeys: String, CodingKey {
    case step, clip, draw, start, requested, target, warnings
    case gain = "gain_dB"
    case loudness = "loudness_LUFS"
    case truePeak = "truePeak_dBTP"
  }

  /// From which time of the clip on it is played, in words; empty for its beginning.
  package var part: String { start == .zero ? "" : " from \(start.seconds.fixed(3)) s on" }

  /// What is wrong with numbers of the right type.
  package var jsonProblem: String? {
    start < .zero ? "“start_ns” is negative" : requested < .zero ? "“requested_ns” is negative" : nil
  }

  /// A chosen clip.
  package init(
    step: String, clip: Clip, draw: Draw?, start: Duration = .zero, requested: Duration, gain: Double,
    loudness: Double?, truePeak: Double?,
    target: LoudnessTarget? = nil, warnings: [String]
  ) {
    self.step = step
    self.clip = clip
    (self.draw, self.start) = (draw, start)
    self.requested = requested
    self.gain = gain
    self.loudness = loudness
    self.truePeak = truePeak
    self.target = target
    self.warnings = warnings
  }
}
