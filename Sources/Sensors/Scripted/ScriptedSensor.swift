import Basics
package import Quantities
import Synchronization

/// A sensor that says what it was told to say, when it was told to: for rehearsals and tests.
package final class ScriptedSensor: Sensor {
  /// Something that the sensor says at a time since the beginning of its stream.
  package struct Cue: Hashable, Sendable {
    /// When it is said, since the stream's beginning.
    package var time: Duration
    /// What is said; the moments of readings count from the stream's beginning, too, and are moved to the clock.
    package var event: SensorEvent

    /// A cue.
    package init(at time: Duration, _ event: SensorEvent) {
      self.time = time
      self.event = event
    }

    /// A single reading, which arrives at the cue's time and happened `latency` before.
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

  /// A stimulus that the sensor was told of.
  package struct StimulusChange: Hashable, Sendable {
    /// Whether it began.
    package let isSounding: Bool
    /// When.
    package let moment: Moment
  }

  /// Where its readings come from.
  package let source: SensorSource

  private let script: [Cue]
  private let changes = Mutex<[StimulusChange]>([])

  /// A sensor with a script, which is played in the order of its times to every consumer.
  ///
  /// After the last cue the sensor stays connected and silent, unless that cue is ``SensorEvent/ended(reason:)``.
  package init(_ script: [Cue], source: SensorSource = SensorSource(name: "scripted")) {
    self.script = script.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(
      \.element)
    self.source = source
  }

  /// A strap that sends one beat after the other, each at its instant, the first at once.
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

  /// What the sensor was told of stimuli so far.
  package var stimulusChanges: [StimulusChange] { changes.withLock { $0 } }

  /// Keeps it for ``stimulusChanges``.
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
        // Nothing more to say: silent until the consumer is cancelled.
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
  /// The same with all moments counted from `start`.
  fileprivate func moved(to start: Moment) -> SensorEvent {
    guard case .readings(var readings) = self else { return self }
    for index in readings.indices {
      readings[index].happened = start.advanced(by: .nanoseconds(readings[index].happened.nanoseconds))
      readings[index].arrived = start.advanced(by: .nanoseconds(readings[index].arrived.nanoseconds))
    }
    return .readings(readings)
  }
}
