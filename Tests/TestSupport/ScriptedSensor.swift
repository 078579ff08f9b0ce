import Basics
package import Quantities
package import Sensors
import Synchronization

/// A sensor that delivers scripted events at scripted times, for tests.
package final class ScriptedSensor: Sensor {
  /// An event at a time since the beginning of the stream.
  package struct Cue: Hashable, Sendable {
    /// The time since the stream's beginning.
    package var time: Duration
    /// The event; the times of its samples also count from the stream's beginning, and are moved to the clock.
    package var event: SensorEvent

    /// Creates a cue.
    package init(at time: Duration, _ event: SensorEvent) {
      self.time = time
      self.event = event
    }

    /// Creates a cue with a single sample, which arrives at the cue's time and happened `latency` earlier.
    package static func reading(
      at time: Duration, heartRate: Double?, rrIntervals: [Double] = [], contact: Bool? = nil,
      latency: Duration = .zero
    ) -> Cue {
      let arrived = Moment(nanoseconds: time.nanoseconds)
      return Cue(
        at: time,
        .readings([
          HeartReading(
            heartRate: heartRate, rrIntervals: rrIntervals, contact: contact,
            happened: arrived.advanced(by: .zero - latency), arrived: arrived)
        ]))
    }
  }

  /// A stimulus change that the sensor was notified of.
  package struct StimulusChange: Hashable, Sendable {
    /// Whether the stimulus began.
    package let isSounding: Bool
    /// The time of the change.
    package let moment: Moment
  }

  /// The source that its samples are attributed to.
  package let source: SensorSource

  private let script: [Cue]
  private let changes = Mutex<[StimulusChange]>([])

  /// Creates a sensor with a script, which is played to every consumer in the order of time.
  ///
  /// After the last cue the sensor stays connected and silent, unless that cue is ``SensorEvent/ended(reason:)``.
  package init(_ script: [Cue], source: SensorSource = SensorSource(name: "scripted")) {
    self.script = script.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(
      \.element)
    self.source = source
  }

  /// Creates a strap that sends each beat at its instant, the first immediately.
  ///
  /// The intervals are in milliseconds; there is one beat more than intervals.
  package convenience init(beatsApart rrIntervals: [Double], source: SensorSource = SensorSource(name: "scripted")) {
    var time = Duration.zero
    var script = [Cue(at: .zero, .connected(source.device)), .reading(at: .zero, heartRate: nil, contact: true)]
    for interval in rrIntervals {
      time += Duration(milliseconds: interval)
      script.append(
        .reading(at: time, heartRate: (60_000 / interval).rounded(), rrIntervals: [interval], contact: true))
    }
    self.init(script, source: source)
  }

  /// The stimulus changes so far.
  package var stimulusChanges: [StimulusChange] { changes.withLock { $0 } }

  /// Records the change for ``stimulusChanges``.
  package func stimulusChanged(isSounding: Bool, at moment: Moment) {
    changes.withLock { $0.append(StimulusChange(isSounding: isSounding, moment: moment)) }
  }

  /// Plays the script from its beginning.
  package func events(on clock: any StationClock) -> AsyncStream<SensorEvent> {
    let start = clock.now
    let position = Position()
    let script = script
    return AsyncStream {
      let index = position.take()
      if index > 0, index <= script.count, case .ended = script[index - 1].event { return nil }
      guard index < script.count else {
        // The script is over: silence until the consumer is cancelled.
        let (silence, continuation) = AsyncStream.makeStream(of: Never.self)
        for await _ in silence {}
        withExtendedLifetime(continuation) {}
        return nil
      }
      do {
        try await clock.sleep(until: start.advanced(by: script[index].time), tolerance: nil)
      } catch {
        return nil
      }
      return script[index].event.moved(to: start)
    }
  }

  private final class Position: Sendable {
    private let next = Mutex(0)

    func take() -> Int {
      next.withLock { next in
        next += 1
        return next - 1
      }
    }
  }
}

extension SensorEvent {
  /// The same event with all times counted from `start`.
  fileprivate func moved(to start: Moment) -> SensorEvent {
    guard case .readings(var readings) = self else { return self }
    for index in readings.indices {
      readings[index].happened = start.advanced(by: .nanoseconds(readings[index].happened.nanoseconds))
      readings[index].arrived = start.advanced(by: .nanoseconds(readings[index].arrived.nanoseconds))
      for sample in readings[index].samples.indices {
        let time = readings[index].samples[sample].happened
        readings[index].samples[sample].happened = start.advanced(by: .nanoseconds(time.nanoseconds))
      }
    }
    return .readings(readings)
  }
}
