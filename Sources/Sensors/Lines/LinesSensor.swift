package import Quantities

/// A sensor that sends lines of text, each a JSON object or a CSV row with `hr`, `rr`, `contact` and optionally `t`.
///
///     {"hr": 72, "rr": [830.1, 841], "contact": true}        72,830.1;841        12.5,72,830.1
///
/// Any device without built-in support can be connected in this way. A line that cannot be parsed is reported with its
/// number and skipped. A separate thread reads. When samples arrive faster than the consumer takes them, the earlier
/// ones are kept and the others counted; a file on disk waits instead. A source that exceeds its ``ReadingPace`` is
/// throttled. TCP servers and Unix sockets are reconnected after a loss, with pauses of 0.5, 1, 2, 4 and then 8 s; any
/// other source ends for good.
///
/// Beats are placed by the chain of their intervals (``BeatChain``), or, where a line has a `t` in seconds of the
/// sender's own clock, by that: `t` is the instant of the line's last beat, and only has to run forward.
package struct LinesSensor: Sensor {
  /// The source that its samples are attributed to.
  package let source: SensorSource

  private let target: LineTarget
  private let capacity: Int
  private let pace: ReadingPace
  private let tally = SampleTally()

  /// Creates a sensor.
  ///
  /// - Parameters:
  ///   - target: the source of the lines.
  ///   - latency: the source's minimum delay from a beat to the line's arrival.
  ///   - name: the sensor as the operator named it; derived from the target if `nil`.
  ///   - capacity: the maximum number of samples that wait for the consumer; at least 16.
  ///   - pace: the maximum reading rate.
  ///   - location: its place on the body.
  package init(
    _ target: LineTarget, latency: Duration = .zero, name: String? = nil, capacity: Int = SampleQueue.maxSamples,
    pace: ReadingPace = .standard, location: Metadata.SensorLocation? = nil
  ) {
    precondition(capacity >= 16, "a queue needs room for 16 readings at least")
    self.target = target
    self.capacity = capacity
    self.pace = pace
    source = SensorSource(name: name ?? "lines:\(target)", latency: latency, location: location)
  }

  /// The number of samples received over all streams.
  package var readingsTaken: Int? { tally.count }

  /// How far the reading is behind.
  package var backlog: ReadingBacklog? { tally.backlog }

  /// Connects, and delivers what arrives.
  ///
  /// When the consumer is cancelled, the stream ends after the connection is closed and a child process has exited.
  package func events(on clock: any StationClock) -> AsyncStream<SensorEvent> {
    let settings = SensorThread.Settings(
      clock: clock, tally: tally, capacity: capacity, reconnects: target.reconnects)
    let patience = target.reconnects ? ConnectionFeed.patience : nil
    let (target, latency, budget) = (target, source.latency, ReadingBudget.of(pace))
    return ConnectionFeed.events(
      of: .init(
        name: "\(target)", patience: patience, settings: settings,
        opening: .onThread { thread, lines throws(LinkFault) in
          try LinesConnection(target, latency: latency, budget: budget, on: thread).read(&lines)
        }))
  }
}
