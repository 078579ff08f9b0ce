import Basics
import Quantities

/// The format of a sound: 32-bit floating-point samples, channels interleaved.
package struct SoundFormat: Hashable, Sendable {
  package var sampleRate: Int
  package var channels: Int

  package init(sampleRate: Int, channels: Int) {
    self.sampleRate = sampleRate
    self.channels = channels
  }
}

extension SoundFormat {
  /// The number of frames closest to a duration, within half a frame.
  package func frames(in duration: Duration) -> Int {
    let nanoseconds = Int(duration.nanoseconds)
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let doubled = 2 * rest * sampleRate + (nanoseconds < 0 ? -1_000_000_000 : 1_000_000_000)
    return seconds * sampleRate + doubled / 2_000_000_000
  }

  package func duration(of frames: Int) -> Duration {
    let (seconds, rest) = frames.quotientAndRemainder(dividingBy: sampleRate)
    return .seconds(seconds) + .nanoseconds((2 * rest * 1_000_000_000 + sampleRate) / (2 * sampleRate))
  }
}
