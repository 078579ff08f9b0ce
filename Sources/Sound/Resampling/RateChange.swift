import Basics
import CSoxr

/// A band-limited change of a sound's sample rate by libsoxr, which leaves every instant of the sound where it was.
///
/// It has one owner, who passes the sound through piece by piece.
@safe final class RateChange: Sendable {
  nonisolated(unsafe) private let resampler: OpaquePointer  // used by its one owner only
  private let channels: Int

  init(from rate: Int, to other: Int, channels: Int) throws(SoundServerError) {
    let action = "resample from \(rate) Hz to the sink's \(other) Hz"
    if let problem = Self.problem {
      throw SoundServerError(
        action: action, reason: "the library for it cannot be opened (\(problem))",
        advice: "install it: apt-get install libsoxr0")
    }
    guard let resampler = unsafe csoxr_new(Double(rate), Double(other), UInt32(clamping: channels)) else {
      throw SoundServerError(action: action, reason: "no memory for it")
    }
    self.channels = channels
    unsafe self.resampler = resampler
  }

  deinit { unsafe csoxr_free(resampler) }

  /// The loader's message if the library cannot be loaded; `nil` once it is loaded.
  private static let problem = unsafe csoxr_open().map { unsafe String(cString: $0) }

  /// Passes whole frames through and appends those that are ready, at most `room`; at the end the rest comes out, and nothing
  /// may be passed after that.
  func pass(_ samples: ArraySlice<Float>, into output: inout [Float], room: Int, isEnd: Bool = false) -> (
    taken: Int, given: Int
  ) {
    let start = output.count
    output.append(contentsOf: repeatElement(0, count: room * channels))
    var taken = 0
    let given = unsafe samples.withUnsafeBufferPointer { input in
      unsafe output.withUnsafeMutableBufferPointer { output in
        let place = unsafe output.baseAddress.map { unsafe $0 + start }
        // Without a pointer to samples the library ends the sound, so that there is one even for no samples.
        let samples = unsafe isEnd ? nil : input.baseAddress ?? UnsafePointer(place)
        return unsafe csoxr_process(resampler, samples, input.count / channels, &taken, place, room)
      }
    }
    output.removeLast((room - max(0, given)) * channels)
    return (taken, max(0, given))
  }
}
