import Analysis
import Basics
import Bundles
import Quantities
import Recordings
import Study

/// What is shown of a trial that runs: a value that its journal's lines are fed into.
struct LiveTrial: Sendable {
  /// What weighs on the verdict, who and what.
  private(set) var progress = TrialProgress()

  /// The step that is shown; `nil` before the first and after the last.
  private(set) var step: CurrentStep?

  /// The sounds so far, with their measured onsets and offsets.
  private(set) var sounds: [TrialFacts.Sound] = []

  /// What each sensor has said, in the order in which they first spoke.
  private(set) var sensors: [Sensor] = []

  /// Whether the trial is paused.
  private(set) var isPaused = false

  /// The latest time that any record tells of, since the trial's zero.
  private(set) var latest = Duration.zero

  private let journal: String
  private let steps: [Step]

  /// A step, and how much of it is left.
  struct CurrentStep: Sendable {
    let identifier: String
    let start: Duration
    /// What is left of its time when it does not run, or did when it began to run; `nil` for a step without a timer.
    fileprivate(set) var left: Duration?
    /// Since when it runs; `nil` while it does not.
    fileprivate(set) var runsSince: Duration?

    /// What is left of it at a time; `nil` for a step without a timer.
    func remaining(at time: Duration) -> Duration? {
      left.map { left in max(.zero, runsSince.map { left - max(.zero, time - $0) } ?? left) }
    }
  }

  /// What a sensor has said.
  struct Sensor: Sendable {
    let name: String
    fileprivate(set) var rates: [(time: Double, value: Double)] = []
    /// The rate that is true latest, and when that was; `nil` before the first.
    fileprivate(set) var last: (time: Duration, rate: Double)?
    /// Whether it is connected, as far as it has said so.
    fileprivate(set) var isLost = false
    /// Whether it touches the skin; `nil` where it does not say so.
    fileprivate(set) var contact: Bool?
  }

  /// A trial of which nothing is known but its protocol's steps.
  init(journal: String, steps: [Step]) {
    self.journal = journal
    self.steps = steps
  }

  /// Takes the journal's next line; what is not readable is a warning.
  mutating func take(_ line: JournalReader.Line) throws {
    try progress.take(line, from: journal)
    guard case .success(let record) = line.record else { return }
    latest = max(latest, record.time)
    switch record.event {
    case .reading(let reading):
      latest = max(latest, reading.arrived)
      take(reading, at: record.time)
    case .sensorConnected(let sensor, _): amend(sensor) { $0.isLost = false }
    case .sensorLost(let sensor, _, _): amend(sensor) { $0.isLost = true }
    case .soundStarted(_, _, let onset):
      sounds.append(TrialFacts.Sound(onset: onset.time.seconds, onsetUncertainty: onset.uncertainty.seconds))
      start(at: onset.time)
    case .soundEnded(_, _, let offset, _):
      if !sounds.isEmpty { sounds[sounds.count - 1].offset = offset.time.seconds }
    default: takeCourse(record)
    }
  }

  private mutating func takeCourse(_ record: JournalRecord) {
    switch record.event {
    case .stepStarted(let identifier):
      let active = steps.first { $0.identifier == identifier }?.active
      let duration = active.flatMap { $0.stepDuration > .zero ? $0.stepDuration : nil }
      step = CurrentStep(identifier: identifier, start: record.time, left: duration)
    case .stepBegan(let identifier):
      if !isMusic(identifier) { start(at: record.time) }
    case .stepFinished: hold(at: record.time)
    case .stepEnded: step = nil
    case .suspended:
      isPaused = true
      hold(at: record.time)
    case .resumed:
      isPaused = false
      if let step, !isMusic(step.identifier) { start(at: record.time) }
    default: break
    }
  }

  /// Where a step stands among all, from 1, and how many there are.
  func number(of identifier: String) -> (number: Int, count: Int)? {
    steps.firstIndex { $0.identifier == identifier }.map { ($0 + 1, steps.count) }
  }

  /// What people call a step.
  func title(of identifier: String) -> String? { steps.first { $0.identifier == identifier }?.title }

  // A music step's time counts from the measured onset.
  private func isMusic(_ identifier: String) -> Bool {
    if case .music? = steps.first(where: { $0.identifier == identifier })?.kind { true } else { false }
  }

  private mutating func start(at time: Duration) {
    guard step?.runsSince == nil else { return }
    step?.runsSince = time
  }

  private mutating func hold(at time: Duration) {
    let left = step?.remaining(at: time)
    step?.left = left
    step?.runsSince = nil
  }

  private mutating func take(_ reading: SensorReading, at time: Duration) {
    amend(reading.sensor) { sensor in
      sensor.contact = reading.contact
      guard reading.contact != false else { return }
      if let rate = reading.heartRate, rate > 0 {
        sensor.take(rate, at: time)
        return
      }
      // The last interval ends with the reading, each other one where the next begins.
      var beat = time
      for interval in reading.rrIntervals.reversed() where interval > 0 {
        sensor.take(60_000 / interval, at: beat)
        beat -= Duration(milliseconds: interval)
      }
    }
  }

  private mutating func amend(_ name: String, _ change: (inout Sensor) -> Void) {
    let index =
      sensors.firstIndex { $0.name == name }
      ?? {
        sensors.append(Sensor(name: name))
        return sensors.count - 1
      }()
    change(&sensors[index])
  }
}

extension LiveTrial.Sensor {
  fileprivate mutating func take(_ rate: Double, at time: Duration) {
    rates.append((time.seconds, rate))
    if last.map({ time >= $0.time }) ?? true { last = (time, rate) }
  }
}
