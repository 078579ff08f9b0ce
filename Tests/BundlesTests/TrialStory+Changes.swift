import Basics
import Quantities
import Sound
import Study

@testable import Bundles

extension TrialStory {
  /// Adds an event where its time belongs.
  mutating func insert(_ milliseconds: Int, _ event: JournalEvent) {
    let time = Duration.milliseconds(milliseconds)
    let index = events.firstIndex { $0.time > time } ?? events.endIndex
    events.insert((time, event), at: index)
  }

  mutating func remove(_ isUnwanted: (JournalEvent) -> Bool) { events.removeAll { isUnwanted($0.event) } }

  mutating func replace(_ new: (JournalEvent) -> JournalEvent?) {
    for index in events.indices { events[index].event = new(events[index].event) ?? events[index].event }
  }

  mutating func close(_ outcome: Outcome, reason: String? = nil) {
    let closing = closing(outcome, reason: reason)
    replace { if case .trialClosed = $0 { .trialClosed(closing) } else { nil } }
  }

  mutating func skip(_ name: String) {
    replace { event in
      guard case .stepEnded(name, _) = event else { return nil }
      return .stepEnded(step: name, reason: .skipped)
    }
  }

  /// Moves the calendar's reading at the end.
  mutating func moveCalendar(_ milliseconds: Int) {
    replace { event in
      guard case .trialClosed(var closing) = event, let wall = closing.calendar?.wall else { return nil }
      closing.calendar?.wall = wall.advanced(by: .milliseconds(milliseconds))
      return .trialClosed(closing)
    }
  }

  mutating func replaceOnset(_ time: Duration, uncertainty: Duration? = nil) {
    replace { event in
      guard case .soundStarted(let step, let segment, let onset) = event else { return nil }
      return .soundStarted(
        step: step, segment: segment, onset: MeasuredTime(time: time, uncertainty: uncertainty ?? onset.uncertainty))
    }
  }

  /// The story with recorders that record so many seconds from its first second on, and with a beat every second, but for
  /// the seconds (of the trial) in which the sensor says that it does not touch the skin.
  func recording(
    for length: Int, withoutContact off: [Range<Int>], because problem: SignalProblem? = nil, quality: Double? = nil
  ) -> TrialStory {
    var story = self
    story.remove {
      switch $0 {
      case .reading, .recorderStopped, .trialClosed: true
      default: false
      }
    }
    for second in 0...length + 2 {
      var reading = TrialStory.reading(60, [1000], at: second * 1000)
      if off.contains(where: { $0.contains(second) }) {
        (reading.heartRate, reading.rrIntervals, reading.contact) = (nil, [], problem == nil ? false : nil)
        reading.problem = problem
      }
      if let quality {
        story.insert(
          second * 1000,
          .sample(
            SensorSample(
              sensor: reading.sensor, channel: .signalQuality, value: quality, unit: .percent,
              arrived: .seconds(second))))
      }
      story.insert(second * 1000, .reading(reading))
    }
    for recorder in ["heartRateConfig", "rrConfig"] {
      story.insert(1000 + length * 1000, .recorderStopped(recorder: recorder, step: "music", segment: 0))
    }
    story.add(.seconds(length + 3), .trialClosed(story.closing(.completed)))
    return story
  }

  /// Asks for a loudness; -20.75 LUFS are reached.
  mutating func ask(for target: LoudnessTarget) {
    chosen.target = target
    let chosen = chosen
    replace { if case .clipChosen = $0 { .clipChosen(chosen) } else { nil } }
  }

  /// Plays to a sink that nobody can hear.
  mutating func play(to sink: String, kind: String, isNamed: Bool?) {
    opening.speaker?.sink = sink
    opening.speaker?.kind = kind
    opening.speaker?.isAudible = false
    opening.speaker?.isNamed = isNamed
    events[0].event = .trialOpened(opening)
  }

  mutating func replaceEnd(frames: Int) {
    replace { event in
      guard case .soundEnded(let step, let segment, let offset, _) = event else { return nil }
      return .soundEnded(step: step, segment: segment, offset: offset, frames: frames)
    }
  }
}
