import Basics
package import Quantities

/// Which stream of the Lab Streaming Layer is recorded, and what of it.
package struct LSLSettings: Hashable, Sendable {
  /// The predicate that the stream meets, such as `name='Polar H10'`.
  package var predicate: String
  /// The quantities of its channels in their order, `nil` for one that is not recorded; empty to go by the description.
  package var quantities: [QuantityType?] = []

  /// Settings with every option at its default.
  package init(predicate: String) { self.predicate = predicate }

  /// The predicate that streams meet of which a member has a value; `nil` where it cannot be written.
  static func predicate(_ member: String, _ value: String) -> String? {
    guard let mark = ["'", "\""].first(where: { !value.contains($0) }) else { return nil }
    return "\(member)=\(mark)\(value)\(mark)"
  }
}

/// A stream of the Lab Streaming Layer: heart rates, RR intervals, ratings, waveforms or other quantities.
///
/// Its samples have the sender's times, to which the difference of the clocks is added; the library measures it every few
/// seconds, and it is recorded with its uncertainty. A stream that is lost is searched for again with pauses of 0.5, 1, 2, 4
/// and then 8 s; one of another device is not taken for it.
package struct LSLSensor: Sensor {
  /// The source that its samples are attributed to.
  package let source: SensorSource

  /// The quantities that were chosen.
  package var channels: [Channel] { settings.quantities.compactMap { $0.map { Channel($0) } } }

  /// The number of samples received over all streams.
  package var readingsTaken: Int? { tally.count }

  /// How far the reading is behind.
  package var backlog: ReadingBacklog? { tally.backlog }

  /// 5 s: to find the stream and to compare the clocks.
  package var warmUp: Duration { .seconds(5) }

  private let settings: LSLSettings
  private let tally = SampleTally()
  private let first = LSLConnection.FirstStream()

  /// Creates a sensor.
  ///
  /// - Parameters:
  ///   - settings: which stream.
  ///   - latency: the delay from an event to the time that the sender gives it.
  ///   - name: the sensor as the operator named it.
  ///   - location: its place on the body.
  /// - Throws: ``SensorError`` where the library is not installed.
  package init(
    _ settings: LSLSettings, latency: Duration, name: String, location: Metadata.SensorLocation?
  ) throws(SensorError) {
    do throws(LinkFault) { try LSLLibrary.open() } catch { throw SensorError("use the sensor", name, error.reason) }
    self.settings = settings
    source = SensorSource(name: name, latency: latency, location: location)
  }

  /// Connects, and delivers what arrives.
  package func events(on clock: any StationClock) -> AsyncStream<SensorEvent> {
    ConnectionFeed.events(
      of: .init(
        name: "the stream \(settings.predicate.visible)", settings: .init(clock: clock, tally: tally),
        opening: .onThread { [settings, source, first] thread, frames throws(LinkFault) in
          try LSLConnection(settings, latency: source.latency, first: first, on: thread).read(&frames)
          return .stopped
        }))
  }
}
