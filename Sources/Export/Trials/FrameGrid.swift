/// Places the frames of a waveform on an even grid, for files that have no time of each frame.
///
/// Every frame is kept, in its order. A sensor's clock is some parts per million off its nominal rate, and the estimate of
/// its delay moves the times of later frames by milliseconds: both are no missing frames, and are in ``rate`` instead.
struct FrameGrid: Sendable {
  /// A later frame than this, in seconds, comes after missing ones.
  static let tolerance = 0.05
  /// The most that a sensor's rate is believed to differ from the nominal one, as a share.
  private static let deviation = 0.02

  private let nominal: Double
  /// The time of the first frame; `nil` before it.
  private(set) var start: Double?
  /// The number of frames so far, missing ones included.
  private(set) var count = 0
  private var last = 0.0

  /// An empty grid for a nominal rate, in frames per second.
  init(rate: Double) { nominal = rate }

  /// Takes the next frame.
  ///
  /// - Parameter time: the frame's time in seconds.
  /// - Returns: how many frames are missing before it.
  mutating func take(_ time: Double) -> Int {
    let late = start == nil ? 0 : time - last - 1 / nominal
    let missing = late > Self.tolerance ? Int((late * nominal).rounded()) : 0
    start = start ?? time
    last = time
    count += missing + 1
    return missing
  }

  /// The frames per second from the first to the last; the nominal rate where they differ by less than half a frame.
  var rate: Double {
    guard let start, last > start else { return nominal }
    let steps = Double(count - 1)
    let measured = steps / (last - start)
    let isNominal = (steps / nominal - (last - start)).magnitude * nominal < 0.5
    return isNominal || (measured / nominal - 1).magnitude > Self.deviation ? nominal : measured
  }
}
