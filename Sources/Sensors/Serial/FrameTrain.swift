import Quantities

/// The frames of a device that samples evenly and sends no times: placed by their count, and that by their arrival.
///
/// Frames that the device numbered and that did not arrive leave a gap of their length.
struct FrameTrain: Sendable {
  /// Frames that follow each other without a gap.
  struct Run {
    /// How many frames were lost before, if the device counts them.
    var lost = 0
    /// The number of its frames.
    var count = 0
  }

  /// Frames that come so much later than their count says, in seconds, follow a loss of more frames than the device can
  /// count.
  static let maxDelay = 0.1

  /// The nominal number of frames per second, in Hz.
  let rate: Double
  /// The length of the device's own count, after which it begins again.
  let cycle: Int
  private var clock: FrameClock

  init(rate: Double, cycle: Int, latency: Duration) {
    (self.rate, self.cycle) = (rate, cycle)
    clock = FrameClock(latency: latency)
  }

  /// The time of the first frame of each run; all arrived together.
  mutating func moments(of runs: [Run], arrived: Moment) -> [Moment] {
    var left = runs.reduce(0) { $0 + $1.lost + $1.count }
    return runs.map { run in
      if run.lost > 0 {
        var lost = run.lost
        let late = clock.lateness(ofFrames: left, rate: rate, arrived: arrived)
        if late > Self.maxDelay { lost += cycle * Int((late * rate / Double(cycle)).rounded()) }
        clock.skip(lost, rate: rate)
      }
      left -= run.lost + run.count
      return clock.moments(of: [.init(count: run.count, rate: rate, end: nil)], arrived: arrived)[0]
    }
  }
}
