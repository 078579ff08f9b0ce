package import Quantities

/// A heart-rate strap, or another sensor with Bluetooth's Heart Rate Service, over BlueZ.
///
/// It is searched for by the service, connected to and subscribed to; a link that is lost is made again for as long as the
/// session lasts, to the same device only. Beats are placed by the chain of their intervals (``BeatChain``), which begins again
/// after a loss, since the service keeps no values for later. Polar's sensors send their electrocardiogram besides, if it
/// is asked for.
package struct BluetoothSensor: Sensor {
  /// The source that its samples are attributed to.
  package let source: SensorSource

  /// The heart's channels, and the waveforms that are asked for.
  package var channels: [Channel] {
    Channel.ofHeartbeats
      + BluetoothSettings.Waveform.allCases.filter(settings.waveforms.contains).map(\.kind)
      .map { Channel($0.type, rate: Double($0.rate)) }
  }

  /// The number of samples received over all streams.
  package var readingsTaken: Int? { tally.count }

  /// 15 s: to find the sensor, to connect to it, and for its first values.
  package var warmUp: Duration { .seconds(15) }

  private let settings: BluetoothSettings
  private let bus: String?
  private let tally = SampleTally()

  /// Creates a sensor.
  ///
  /// - Parameters:
  ///   - settings: which sensor.
  ///   - latency: its delay from a beat to the arrival of the value that tells it.
  ///   - name: the sensor as the operator named it.
  ///   - location: its place on the body.
  ///   - bus: the address of the message bus; `nil` for the system's.
  package init(
    _ settings: BluetoothSettings, latency: Duration, name: String, location: Metadata.SensorLocation?,
    bus: String? = nil
  ) {
    self.settings = settings
    self.bus = bus
    source = SensorSource(name: name, latency: latency, location: location)
  }

  /// Connects, and delivers what arrives.
  package func events(on clock: any StationClock) -> AsyncStream<SensorEvent> {
    ConnectionFeed.events(
      of: .init(
        name: "Bluetooth", patience: nil, settings: .init(clock: clock, tally: tally),
        opening: .onThread { [settings, source, bus] thread, count throws(LinkFault) in
          try BluetoothConnection(settings, latency: source.latency, bus: bus, on: thread).read(&count)
          return .stopped
        }))
  }
}
