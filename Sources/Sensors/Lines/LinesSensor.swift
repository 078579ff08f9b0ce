package import Quantities

/// A sensor that speaks in lines of text, each a JSON object or a CSV row with `hr`, `rr`, `contact` and perhaps `t`.
///
///     {"hr": 72, "rr": [830.1, 841], "contact": true}        72,830.1;841        12.5,72,830.1
///
/// Everything that is not built in can be brought in this way. A line that cannot be read is reported with its number
/// and passed over. Reading has a thread of its own; when readings come faster than they are taken, the earlier ones are
/// kept and the others counted, except from a file on a disk, which waits. A source that sends more than its
/// ``ReadingPace`` allows is held back. TCP servers and Unix sockets are connected to
/// again after a loss, with pauses of 0.5, 1, 2, 4 and then 8 s; everything else ends for good.
///
/// Beats are placed by the chain of their intervals (``BeatChain``), or, where a line has a `t` in seconds of the
/// sender's own clock, by that: `t` is the instant of the line's last beat, and only has to run forward.
package struct LinesSensor: Sensor {
  /// How long a server may take to answer.
  package static let patience = Duration.seconds(5)

  /// Where its readings come from.
  package let source: SensorSource

  private let target: LineTarget
  private let capacity: Int
  private let pace: ReadingPace
  private let tally = ReadingTally()

  /// A sensor.
  ///
  /// - Parameters:
  ///   - target: where the lines come from.
  ///   - latency: what the source takes from a beat to the line's arrival, at least.
  ///   - name: the sensor as the operator named it; made of the target when `nil`.
  ///   - capacity: how many readings wait for the consumer at most; at least 16.
  ///   - pace: how fast lines are read at most.
  ///   - location: where on the body it sits.
  package init(
    _ target: LineTarget, latency: Duration = .zero, name: String? = nil, capacity: Int = 65_536,
    pace: ReadingPace = .standard, location: Metadata.SensorLocation? = nil
  ) {
    precondition(capacity >= 16, "a queue needs room for 16 readings at least")
    self.target = target
    self.capacity = capacity
    self.pace = pace
    source = SensorSource(name: name ?? "lines:\(target)", latency: latency, location: location)
  }

  /// How many readings have arrived, over all streams.
  package var readingsTaken: Int? { tally.count }

  /// Connects, and delivers what arrives.
  ///
  /// When the consumer is cancelled, the stream ends after the connection is closed and a child is dead.
  package func events(on clock: any StationClock) -> AsyncStream<SensorEvent> {
    let feed = LinesFeed(
      Link.Settings(
        target: target, latency: source.latency, capacity: capacity, pace: pace, clock: clock, tally: tally))
    return AsyncStream { await feed.next() }
  }
}
