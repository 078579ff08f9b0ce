import Basics
import Glibc
package import Quantities
import Synchronization

/// A sensor for runs without a participant: the electrocardiogram or the pulse wave of a ``SimulatedHeart``.
///
/// It delivers blocks of 200 ms when they are complete. The same settings give the same frames relative to the stream's
/// beginning; only the stimulus changes reported to ``stimulusChanged(isSounding:at:)`` alter them.
package final class SimulatedWaveform: Sensor {
  /// The parameters of the sensor.
  package struct Settings: Hashable, Sendable {
    /// The quantity, which is a waveform.
    var type: QuantityType
    /// The parameters of the heart.
    var heart: SimulatedHeart.Settings
    /// The number of frames per second.
    var rate: Double
    /// The number of channels: leads that differ in strength.
    var channels: Int
    /// The delay from the end of a block to its delivery.
    var latency: Duration

    /// Creates settings.
    package init(
      _ type: QuantityType, heart: SimulatedHeart.Settings = SimulatedHeart.Settings(), rate: Double = 250,
      channels: Int = 1, latency: Duration = .zero
    ) {
      (self.type, self.heart, self.rate, self.channels, self.latency) = (type, heart, rate, channels, latency)
    }
  }

  /// The length of a block, in seconds.
  static let block = 0.2

  /// The source that its samples are attributed to.
  package let source: SensorSource

  private let settings: Settings
  private let format: WaveformFormat
  private let changes = Mutex<[(isSounding: Bool, moment: Moment)]>([])

  /// Creates a simulated waveform.
  ///
  /// - Parameters:
  ///   - settings: the quantity and how it is simulated.
  ///   - name: the sensor as the operator named it; derived from the quantity if `nil`.
  ///   - location: its declared place on the body.
  init(_ settings: Settings, name: String? = nil, location: Metadata.SensorLocation? = nil) {
    self.settings = settings
    format = WaveformFormat(settings.type, rate: settings.rate, channels: (1...settings.channels).map { "\($0)" })
    source = SensorSource(
      name: name ?? "simulated:quantity=\(settings.type.channelName)", latency: settings.latency,
      device: Device(name: "Simulated sensor", manufacturer: "station", model: settings.type.channelName),
      location: location)
  }

  /// The waveform, in the quantity's unit for display.
  package var channels: [Channel] { [Channel(settings.type, rate: settings.rate)] }

  /// Notifies the heart that a stimulus begins or ends.
  package func stimulusChanged(isSounding: Bool, at moment: Moment) {
    changes.withLock { $0.append((isSounding, moment)) }
  }

  /// Starts the heart; every stream has its own, equal to the others'.
  package func events(on clock: any StationClock) -> AsyncStream<SensorEvent> {
    let start = clock.now
    let course = Mutex(SimulatedCurve(settings))
    let state = Mutex((frames: -1, known: changes.withLock { $0.count { $0.moment < start } }))
    return AsyncStream { [self] in
      let first = state.withLock { $0.frames }
      guard first >= 0 else {
        state.withLock { $0.frames = 0 }
        return .connected(source.device)
      }
      // Whole frames at any rate: the block ends with the first frame after its time.
      let count = max(1, Int((Self.block * settings.rate).rounded()))
      let arrived = start.advanced(by: format.time(of: first + count) + settings.latency)
      do {
        try await clock.sleep(until: arrived, tolerance: nil)
      } catch {
        return nil
      }
      let changes = changes.withLock { $0 }
      let values = state.withLock { state in
        let news = changes[min(state.known, changes.count)...]
        (state.frames, state.known) = (first + count, changes.count)
        return course.withLock { course in
          for change in news {
            course.stimulusChanged(isSounding: change.isSounding, at: start.duration(to: change.moment).seconds)
          }
          return course.next(count)
        }
      }
      let happened = start.advanced(by: format.time(of: first))
      return .waveform(WaveformFrames(format, happened: happened, arrived: arrived, values: values))
    }
  }
}

/// The values of a simulated waveform: a sum of bell curves around each heartbeat.
///
/// Those of an electrocardiogram are its P, Q, R, S and T waves, as in the model of McSharry, Clifford, Tarassenko and
/// Smith (2003), with a T wave that moves with the square root of the interval; those of a pulse wave the systolic and
/// the dicrotic wave, 0.25 s after the beat. Breathing moves the baseline, and every value has noise.
struct SimulatedCurve: Sendable {
  /// A bell curve: its time after the beat and its width in seconds, and its height.
  struct BellCurve: Sendable {
    let time: Double
    let width: Double
    let height: Double
    /// Whether its time and width grow with the square root of the interval.
    var isScaled = false
  }

  private static let electrocardiogram = [
    BellCurve(time: -0.16, width: 0.022, height: 0.12), BellCurve(time: -0.026, width: 0.008, height: -0.12),
    BellCurve(time: 0, width: 0.011, height: 1.1), BellCurve(time: 0.028, width: 0.010, height: -0.25),
    BellCurve(time: 0.30, width: 0.045, height: 0.30, isScaled: true),
  ]
  private static let pulse = [
    BellCurve(time: 0.25, width: 0.07, height: 1), BellCurve(time: 0.48, width: 0.09, height: 0.35, isScaled: true),
  ]
  // Curves are negligible further from a beat, in seconds.
  private static let reach = 1.0
  // The heart is simulated ahead, because a P wave comes before its beat.
  private static let ahead = 0.4

  private let settings: SimulatedWaveform.Settings
  private let bells: [BellCurve]
  private let scale: Double
  private var heart: SimulatedHeart
  private var random: SplitMix64
  private var beats: [(time: Double, interval: Double)] = []
  private var frame = 0

  init(_ settings: SimulatedWaveform.Settings) {
    self.settings = settings
    // What is not of the heart is the movement of breathing, and noise.
    bells =
      switch settings.type {
      case .photoplethysmogram: Self.pulse
      case .electrocardiogram: Self.electrocardiogram
      default: []
      }
    scale = settings.type == .photoplethysmogram ? 1000 : 1
    heart = SimulatedHeart(settings.heart)
    random = SplitMix64(seed: settings.heart.seed ^ 0x5741_5645_464F_524D)
  }

  mutating func stimulusChanged(isSounding: Bool, at time: Double) {
    heart.stimulusChanged(isSounding: isSounding, at: time)
  }

  /// The values of the next frames.
  mutating func next(_ count: Int) -> [Float] {
    var values: [Float] = []
    values.reserveCapacity(count * settings.channels)
    for _ in 0..<count {
      let time = Double(frame) / settings.rate
      frame += 1
      while let beat = heart.nextBeat(until: time + Self.ahead) {
        beats.append((beat, beats.last.map { beat - $0.time } ?? 60 / settings.heart.rate))
      }
      beats.removeAll { $0.time < time - Self.reach }
      let breath = 0.04 * sin(2 * .pi * settings.heart.respiration * time)
      let height = beats.reduce(breath) { $0 + value(at: time - $1.time, after: $1.interval) }
      for channel in 0..<settings.channels {
        let noise = 0.01 * (random.uniform() + random.uniform() - 1)
        values.append(Float(scale * (height / Double(channel + 1) + noise)))
      }
    }
    return values
  }

  private func value(at time: Double, after interval: Double) -> Double {
    let root = interval.squareRoot()
    return bells.reduce(0) { sum, bell in
      let stretch = bell.isScaled ? root : 1
      let distance = (time - bell.time * stretch) / (bell.width * stretch)
      return distance.magnitude > 6 ? sum : sum + bell.height * exp(-0.5 * distance * distance)
    }
  }
}
