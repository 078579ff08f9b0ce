import Basics
import Quantities

/// Places the frames of a waveform in time.
///
/// Where the sender gives no times, they are counted: a frame follows the one before by the nominal rate, and the offset
/// is that of the smallest delay seen. Frames that arrive much later than their count allows come after a pause.
struct FrameClock: Sendable {
  /// Frames that arrived together.
  struct Batch: Sendable {
    let count: Int
    let rate: Double
    /// When the last frame happened by the sender's clock; `nil` if it gives no time.
    let end: Moment?
  }

  private let latency: Duration
  private var counted = ArrivalOffset(.frames)
  /// The time of the frames so far by their count, in seconds.
  private var elapsed = 0.0

  init(latency: Duration) { self.latency = latency }

  /// The time of the first frame of each batch; all arrived together.
  mutating func moments(of batches: [Batch], arrived: Moment) -> [Moment] {
    let arrival = arrived.advanced(by: .zero - latency)
    var ends: [Double] = []
    for batch in batches where batch.end == nil {
      elapsed += Double(batch.count) / batch.rate
      ends.append(elapsed * 1e9)
      counted.learn(source: elapsed * 1e9, arrival: arrival)
    }
    var untimed = ends.map { min(counted.moment(ofSource: $0) ?? arrival, arrival) }.makeIterator()
    return batches.map { batch in
      let last = batch.end ?? untimed.next() ?? arrival
      return last.advanced(by: .zero - Duration(nearestNanoseconds: Double(batch.count - 1) / batch.rate * 1e9))
    }
  }

  /// Leaves room for frames that were counted by the sender and did not arrive.
  mutating func skip(_ count: Int, rate: Double) { elapsed += Double(count) / rate }

  /// How much later than their count says the last of the next frames without a time arrives, in seconds.
  func lateness(ofFrames count: Int, rate: Double, arrived: Moment) -> Double {
    let arrival = arrived.advanced(by: .zero - latency)
    return -counted.excess(ofSource: (elapsed + Double(count) / rate) * 1e9, arrival: arrival).seconds
  }
}
