import CEbur128
import Glibc

/// Measures the loudness of sound that arrives in pieces (ITU-R BS.1770-4, EBU R 128, by libebur128).
///
/// A mono sound is measured as it is played: by two loudspeakers, which makes it 3 LU louder than one of them.
@safe
package struct LoudnessMeter: ~Copyable, Sendable {
  // Its one owner is the only one to call: it can be sent, but not shared.
  nonisolated(unsafe) private let state: UnsafeMutablePointer<ebur128_state>
  private let channels: Int

  /// A meter that has heard nothing; `nil` for a rate or a number of channels that the library does not take.
  package init?(_ format: SoundFormat) {
    let mode = EBUR128_MODE_I.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue
    guard format.channels > 0, format.sampleRate > 0,
      let state = unsafe ebur128_init(UInt32(format.channels), UInt(format.sampleRate), Int32(mode))
    else { return nil }
    // Since R 128 leaves it open, the library must be told.
    if format.channels == 1 { unsafe _ = ebur128_set_channel(state, 0, Int32(EBUR128_DUAL_MONO.rawValue)) }
    channels = format.channels
    unsafe self.state = unsafe state
  }

  deinit {
    var state: UnsafeMutablePointer<ebur128_state>? = unsafe state
    unsafe ebur128_destroy(&state)
  }

  /// Hears the next samples, channels interleaved.
  ///
  /// - Precondition: the samples are whole frames.
  package mutating func add(_ samples: [Float]) {
    precondition(samples.count % channels == 0, "a meter hears whole frames")
    unsafe _ = ebur128_add_frames_float(state, samples, samples.count / channels)
  }

  /// What was heard so far.
  package var loudness: Loudness {
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
