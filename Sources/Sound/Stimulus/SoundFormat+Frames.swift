import Basics
import Quantities

extension SoundFormat {
  /// The number of frames nearest to a duration; never further from it than half a frame.
  package func frames(in duration: Duration) -> Int {
    let nanoseconds = Int(duration.nanoseconds)
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let doubled = 2 * rest * sampleRate + (nanoseconds < 0 ? -1_000_000_000 : 1_000_000_000)
    return seconds * sampleRate + doubled / 2_000_000_000
  }

  /// How long so many frames sound.
  package func duration(of frames: Int) -> Duration {
    let (seconds, rest) = frames.quotientAndRemainder(dividingBy: sampleRate)
    return .seconds(seconds) + .nanoseconds((2 * rest * 1_000_000_000 + sampleRate) / (2 * sampleRate))
  }
}
