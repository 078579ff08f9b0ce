import CEbur128
import Glibc
import Study

/// The loudness and true peak of a sound.
package struct Loudness: Hashable, Sendable {
  /// The integrated loudness in LUFS; `nil` if no block passes the gate of −70 LUFS, or if the sound is shorter than
  /// 0.4 s.
  package var integrated: Double?

  /// The true peak in dBTP; `nil` for digital silence.
  package var truePeak: Double?

  /// The constant gain that brings a sound of this loudness to a target; `nil` if the loudness could not be measured.
  func gain(to target: LoudnessTarget) -> LoudnessGain? {
    guard let integrated else { return nil }
    let wanted = target.integrated - integrated
    let allowed = truePeak.map { target.truePeakLimit - $0 } ?? wanted
    return LoudnessGain(decibels: min(wanted, allowed), wanted: wanted)
  }
}

/// A gain derived from a loudness target.
struct LoudnessGain: Hashable, Sendable {
  /// The gain to apply, in decibels.
  var decibels: Double

  /// The gain that the target alone requires, in decibels; more than ``decibels`` if the true peak limits it.
  var wanted: Double

  /// Whether the gain was reduced to keep the true peak within its limit, so that the target is missed.
  var isLimited: Bool { decibels < wanted }
}

/// A meter for the loudness of sound that arrives in pieces (ITU-R BS.1770-4, EBU R 128, by libebur128).
///
/// Mono is measured as it is played: on two loudspeakers, which makes it 3 LU louder than on one.
@safe
struct LoudnessMeter: ~Copyable, Sendable {
  // Only the unique owner calls it: it can be sent, but not shared.
  nonisolated(unsafe) private let state: UnsafeMutablePointer<ebur128_state>
  private let channels: Int

  /// Creates a meter without sound; `nil` for a rate or a number of channels that the library does not support.
  init?(_ format: SoundFormat) {
    let mode = EBUR128_MODE_I.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue
    guard format.channels > 0, format.sampleRate > 0,
      let state = unsafe ebur128_init(UInt32(format.channels), UInt(format.sampleRate), Int32(mode))
    else { return nil }
    // R 128 leaves the treatment of mono open, so the library needs an explicit setting.
    if format.channels == 1 { unsafe _ = ebur128_set_channel(state, 0, Int32(EBUR128_DUAL_MONO.rawValue)) }
    channels = format.channels
    unsafe self.state = unsafe state
  }

  deinit {
    var state: UnsafeMutablePointer<ebur128_state>? = unsafe state
    unsafe ebur128_destroy(&state)
  }

  /// Adds samples, channels interleaved.
  ///
  /// - Precondition: the samples are whole frames.
  mutating func add(_ samples: [Float]) {
    precondition(samples.count % channels == 0, "a meter hears whole frames")
    unsafe _ = ebur128_add_frames_float(state, samples, samples.count / channels)
  }

  var loudness: Loudness {
    var integrated = 0.0
    let isMeasured = unsafe ebur128_loudness_global(state, &integrated) == Int32(EBUR128_SUCCESS.rawValue)
    var peak = 0.0
    for channel in 0..<channels {
      var value = 0.0
      if unsafe ebur128_true_peak(state, UInt32(channel), &value) == Int32(EBUR128_SUCCESS.rawValue) {
        peak = max(peak, value)
      }
    }
    return Loudness(
      integrated: isMeasured && integrated.isFinite ? integrated : nil, truePeak: peak > 0 ? 20 * log10(peak) : nil)
  }
}
