import Basics
package import Bundles
import Quantities
import Recordings
package import Study

/// The state of a running trial, built from the lines of its journal.
package struct LiveTrial: Sendable {
  /// The trial's opening, closing and caveats so far.
  package private(set) var progress = TrialProgress()

  /// The current step; `nil` before the first, between two, and after the last.
  package var step: CurrentStep? {
    progress.course.current.map { CurrentStep(identifier: $0.identifier, start: $0.shown, clock: clock) }
  }

  /// The sounds so far, with their measured onsets and offsets.
  package private(set) var sounds: [TrialFacts.Sound] = []

  /// How long after its schedule the last sound began; `nil` before the first.
  package private(set) var lateness: MeasuredTime?
  private var scheduled: Duration?

  /// The state of each sensor, in the order of their first events.
  package private(set) var sensors: [SensorState] = []

  /// The trial's place among those of its session, and its condition: `trial 2 of 5, condition dark`; `nil` for the only
  /// trial, and for what lies around trials.
  package var placeInSession: String? {
    guard let opening = progress.opening, let place = opening.place, let number = place.trial, place.trials > 1 else {
      return nil
    }
    return "trial \(number) of \(place.trials)" + (opening.design.map { ", condition \($0.condition)" } ?? "")
  }

  /// Whether it is what lies around a session's trials.
  package var isAround: Bool { progress.opening?.place.map { $0.trial == nil } ?? false }

  package var isPaused: Bool { progress.course.isPaused }

  /// The latest time in any record, since the trial's zero.
  package private(set) var latest = Duration.zero

  /// The steps that may come, which give their numbers, titles and timers; to be set before the first step starts.
  ///
  /// Each list is numbered by itself: the steps of a single trial, the steps around trials and those of their breaks, or
  /// the templates of trials.
  package var steps: [[Step]] = []

  private let journal: String
  private var clock = StepClock()

  /// A step and its remaining time.
  package struct CurrentStep: Sendable {
    package let identifier: String
    /// When it appeared.
    package let start: Duration
    fileprivate let clock: StepClock

    /// The remaining time at a given time; `nil` for a step without a timer.
    package func remaining(at time: Duration) -> Duration? { clock.remaining(at: time) }
  }

  /// The timer of a step.
  fileprivate struct StepClock: Sendable {
    /// The remaining time while it is stopped, or when it last began to run; `nil` for a step without a timer.
    var left: Duration?
    /// When it began to run; `nil` while it is stopped.
    var runsSince: Duration?

    func remaining(at time: Duration) -> Duration? {
      left.map { left in max(.zero, runsSince.map { left - max(.zero, time - $0) } ?? left) }
    }
  }

  /// The state of a sensor.
  package struct SensorState: Sendable {
    package let name: String
    /// The heart rates so far, in beats per minute at seconds since the trial's zero.
    package fileprivate(set) var rates: [(time: Double, value: Double)] = []
    /// The latest heart rate and its time; `nil` before the first.
    package fileprivate(set) var last: (time: Duration, rate: Double)?
    /// Whether its connection was lost.
    package fileprivate(set) var isLost = false
    /// Whether it has skin contact; `nil` if it does not report contact.
    package fileprivate(set) var contact: Bool?
    /// The newest samples of other quantities, with their times, in the order of their first ones.
    package fileprivate(set) var samples: [(time: Duration, sample: SensorSample)] = []
  }

  /// Creates a trial of which nothing is known yet.
  package init(journal: String) { self.journal = journal }

  /// Adds the journal's next line; an unreadable line becomes a warning.
  mutating func take(_ line: JournalReader.Line) throws {
    try progress.take(line, from: journal)
    if case .success(let record) = line.record { follow(record) }
  }

  /// Adds the journal's next record.
  package mutating func take(_ record: JournalRecord) {
    progress.take(record)
    follow(record)
  }

  private mutating func follow(_ record: JournalRecord) {
    latest = max(latest, record.time)
    switch record.event {
    case .reading(let reading):
      latest = max(latest, reading.arrived)
      take(reading, at: record.time)
    case .sample(let sample):
      latest = max(latest, sample.arrived)
      amend(sample.sensor) { $0.take(sample, at: record.time) }
    case .sensorConnected(let sensor, _): amend(sensor) { $0.isLost = false }
    case .sensorLost(let sensor, _, _): amend(sensor) { $0.isLost = true }
    case .soundScheduled(_, _, let time, _): scheduled = time
    case .soundStarted(_, _, let onset):
      lateness = scheduled.map { MeasuredTime(time: onset.time - $0, uncertainty: onset.uncertainty) }
      sounds.append(TrialFacts.Sound(onset: onset.time.seconds, onsetUncertainty: onset.uncertainty.seconds))
      start(at: onset.time)
    case .soundEnded(_, _, let offset, _):
      if !sounds.isEmpty { sounds[sounds.count - 1].offset = offset.time.seconds }
    default: takeClock(record)
    }
  }

  private mutating func takeClock(_ record: JournalRecord) {
    switch record.event {
    case .stepStarted(let identifier):
      let active = step(named: identifier)?.active
      let duration = active.flatMap { $0.stepDuration > .zero ? $0.stepDuration : nil }
      clock = StepClock(left: duration)
    case .stepBegan(let identifier):
      if !isMusic(identifier) { start(at: record.time) }
    case .stepFinished: hold(at: record.time)
    case .suspended: hold(at: record.time)
    case .resumed:
      if let step = progress.course.current, step.begun != nil, !isMusic(step.identifier) { start(at: record.time) }
    default: break
    }
  }

  /// The number of a step in its list, from 1, and the count of the list's steps.
  package func number(of identifier: String) -> (number: Int, count: Int)? {
    for list in steps {
      if let index = list.firstIndex(where: { $0.identifier == identifier }) { return (index + 1, list.count) }
    }
    return nil
  }

  package func title(of identifier: String) -> String? { step(named: identifier)?.title }

  private func step(named identifier: String) -> Step? {
    steps.lazy.joined().first { $0.identifier == identifier }
  }

  // The time of a music step counts from the measured onset.
  private func isMusic(_ identifier: String) -> Bool {
    step(named: identifier)?.kind is MusicStep
  }

  private mutating func start(at time: Duration) {
    guard progress.course.current != nil, clock.runsSince == nil else { return }
    clock.runsSince = time
  }

  private mutating func hold(at time: Duration) {
    clock = StepClock(left: clock.remaining(at: time))
  }

  private mutating func take(_ reading: SensorReading, at time: Duration) {
    amend(reading.sensor) { sensor in
      sensor.contact = reading.contact
      guard reading.contact != false else { return }
      if let rate = reading.heartRate, rate > 0 {
        sensor.take(rate, at: time)
        return
      }
      // The last interval ends at the reading, every other one where the next begins.
      var beat = time
      for interval in reading.rrIntervals.reversed() where interval > 0 {
        sensor.take(60_000 / interval, at: beat)
        beat -= Duration(milliseconds: interval)
      }
    }
  }

  private mutating func amend(_ name: String, _ change: (inout SensorState) -> Void) {
    let index =
      sensors.firstIndex { $0.name == name }
      ?? {
        sensors.append(SensorState(name: name))
        return sensors.count - 1
      }()
    change(&sensors[index])
  }
}

extension LiveTrial.SensorState {
  fileprivate mutating func take(_ sample: SensorSample, at time: Duration) {
    guard let place = samples.firstIndex(where: { $0.sample.channel == sample.channel }) else {
      samples.append((time, sample))
      return
    }
    if time >= samples[place].time { samples[place] = (time, sample) }
  }

  fileprivate mutating func take(_ rate: Double, at time: Duration) {
    rates.append((time.seconds, rate))
    if last.map({ time >= $0.time }) ?? true { last = (time, rate) }
  }
}
