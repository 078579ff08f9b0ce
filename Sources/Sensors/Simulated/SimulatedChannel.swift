import Basics
package import Quantities
import Synchronization

/// A sensor for runs without a participant: one channel of any quantity but a heartbeat's.
///
/// It sends four values per second, each when it happens. They drift slowly, like those of a resting adult, within the
/// middle of the quantity's typical values; of a quantity without these, within the middle of its plausible ones. The
/// same settings give the same values relative to the stream's beginning.
package final class SimulatedChannel: Sensor {
  /// The parameters of the sensor.
  package struct Settings: Hashable, Sendable {
    var type: QuantityType
    /// The seed of the random numbers.
    var seed: UInt64
    /// The delay from a value to its delivery.
    var latency: Duration

    init(_ type: QuantityType, seed: UInt64 = 1, latency: Duration = .zero) {
      self.type = type
      self.seed = seed
      self.latency = latency
    }
  }

  /// The number of values per second.
  static let rate = 4.0

  /// The source that its samples are attributed to.
  package let source: SensorSource

  private let settings: Settings

  /// Creates a simulated channel.
  ///
  /// - Parameters:
  ///   - settings: the quantity and how it is simulated.
  ///   - name: the sensor as the operator named it; derived from the quantity if `nil`.
  ///   - location: its declared place on the body.
  init(_ settings: Settings, name: String? = nil, location: Metadata.SensorLocation? = nil) {
    self.settings = settings
    source = SensorSource(
      name: name ?? "simulated:quantity=\(settings.type.channelName)", latency: settings.latency,
      device: Device(name: "Simulated sensor", manufacturer: "station", model: settings.type.channelName),
      location: location)
  }

  /// The channel, in the quantity's unit for display.
  package var channels: [Channel] { [Channel(settings.type, rate: Self.rate)] }

  /// Starts the channel; every stream has the same values.
  package func events(on clock: any StationClock) -> AsyncStream<SensorEvent> {
    let start = clock.now
    let (settings, device) = (settings, source.device)
    let course = Mutex(SimulatedCourse(settings.type, seed: settings.seed))
    let count = Mutex(-1)
    return AsyncStream {
      let number = count.withLock { count in
        count += 1
        return count
      }
      guard number > 0 else { return .connected(device) }
      let happened = start.advanced(by: Duration(seconds: Double(number) / Self.rate))
      let arrived = happened.advanced(by: settings.latency)
      do {
        try await clock.sleep(until: arrived, tolerance: nil)
      } catch {
        return nil
      }
      let value = course.withLock { $0.next() }
      return .readings([
        HeartReading(
          heartRate: nil, happened: happened, arrived: arrived,
          samples: [ChannelSample(settings.type, value, happened: happened)])
      ])
    }
  }
}

/// The values of a simulated channel, one after the other.
struct SimulatedCourse: Sendable {
  private let center: Double
  private let width: Double
  private let phases: (Double, Double)
  private var random: SplitMix64
  private var noise = 0.0
  private var count = 0

  init(_ type: QuantityType, seed: UInt64) {
    // Of a quantity of which no value is known to be typical or plausible, around one.
    let range = type.typical ?? type.plausibleInDefaultUnit ?? 0.5...1.5
    center = (range.lowerBound + range.upperBound) / 2
    width = (range.upperBound - range.lowerBound) / 2
    random = SplitMix64(seed: seed ^ 0x4348_414E_4E45_4C53)
    phases = (2 * .pi * random.uniform(), 2 * .pi * random.uniform())
  }

  /// The next value, within four fifths of the range, with six decimals.
  mutating func next() -> Double {
    count += 1
    let time = Double(count) / SimulatedChannel.rate
    noise = 0.95 * noise + 0.05 * (2 * random.uniform() - 1)
    let drift =
      0.4 * Self.sine(2 * .pi * time / 75 + phases.0) + 0.2 * Self.sine(2 * .pi * time / 19 + phases.1) + 0.2 * noise
    let value = center + width * drift
    return (value * 1e6).rounded() / 1e6
  }

  // A sine by its Taylor series, so that every computer gives the same values.
  private static func sine(_ angle: Double) -> Double {
    let turns = (angle / (2 * .pi)).rounded()
    let x = angle - turns * 2 * .pi
    var term = x
    var sum = x
    for order in stride(from: 2.0, through: 20, by: 2) {
      term *= -x * x / (order * (order + 1))
      sum += term
    }
    return sum
  }
}
