package import Analysis
package import Basics
package import Bundles
import Charts
import Quantities
import Recordings
import Study

/// A running trial as lines for a terminal: the current step, the heart rate, and the warnings so far.
package struct LiveScreen: Sendable {
  /// The longest time shown of a trial, in seconds.
  private static let maxLength = 600.0

  /// The age up to which a heart rate is current.
  private static let fresh = Duration.seconds(5)

  /// The maximum number of warnings shown; the others are counted.
  private static let maxWarnings = 3

  private let size: TerminalSize

  package init(size: TerminalSize) { self.size = size }

  /// The lines, as many as the terminal has rows, and none wider than the terminal: of the trial that runs, else of what
  /// lies around the trials, else of the trial that ended last.
  ///
  /// - Parameters:
  ///   - session: the session.
  ///   - wall: the time of the calendar.
  /// - Returns: the lines.
  package func lines(_ session: LiveSession, at wall: WallTime) -> [String] {
    guard let trial = session.trial ?? session.around ?? session.done.last?.trial else {
      return fitted(["the trial is starting"])
    }
    let isOver = session.parts.isEmpty
    let now = isOver ? trial.latest : trial.time(at: wall)
    let around = session.trial == nil ? nil : session.around.map { ($0, $0.time(at: wall)) }
    var lines = head(trial, at: now, in: around, next: isOver ? "the next trial has not begun yet" : nil)
    if session.trial == nil, let complaint = session.done.last?.complaint { lines.append(complaint) }
    if !session.verdicts.isEmpty {
      let counts = session.verdicts.map { "\($0.count) \($0.verdict.rawValue)" }
      lines.append("trials so far: \(counts.joined(separator: ", "))")
    }
    if let question = trial.progress.course.openQuestion { lines.append("asked: \(question)") }
    lines += trial.sensors.map { sensor(sensor: $0, at: now) }
    let warnings = trial.progress.caveats
    lines += warnings.prefix(Self.maxWarnings).map { "! \($0)" }
    if warnings.count > Self.maxWarnings { lines.append("! and \(warnings.count - Self.maxWarnings) more") }
    lines = lines.map(\.visible)
    let rows = size.rows - lines.count - 2
    if rows >= 5 {
      lines.append("")
      lines += chart(trial, at: now, rows: rows).split(separator: "\n", omittingEmptySubsequences: false).map(
        String.init)
      if lines.last == "" { lines.removeLast() }
    }
    return fitted(lines)
  }

  private func fitted(_ lines: [String]) -> [String] {
    var lines = Array(lines.prefix(size.rows - 1))
    lines += Array(repeating: "", count: size.rows - 1 - lines.count)
    lines.append("Ctrl-C ends this view; the trial continues")
    return lines.map { $0.shortened(to: size.columns) }
  }

  private func head(
    _ trial: LiveTrial, at now: Duration, in session: (steps: LiveTrial, time: Duration)?, next: String?
  ) -> [String] {
    guard let opening = trial.progress.opening else { return ["the trial is starting"] }
    let since = "\((session?.time ?? now).clockText()) since its start"
    var lines = [
      "\(opening.studyProtocol.identifier), participant \(opening.participant), session \(opening.session); \(since)"
    ]
    if let language = Language(tag: opening.language), !language.isChecked {
      lines.append("\(Phrases.unchecked) “\(language.rawValue)”")
    }
    if let around = session?.steps, let step = around.step {
      let parts = [name(of: step.identifier, in: around), trial.placeInSession]
      lines.append(parts.compactMap(\.self).joined(separator: "; "))
    } else if let place = trial.placeInSession {
      lines.append(place)
    }
    if let next {
      lines.append(next)
    } else if let step = trial.step {
      let name = name(of: step.identifier, in: trial)
      let title = trial.title(of: step.identifier).map { ": \($0)" } ?? ""
      let left = step.remaining(at: now).map { "\($0.clockText(rounding: .up)) left" }
      let paused = trial.isPaused ? "paused" : nil
      let elapsed = "\((now - step.start).clockText()) elapsed"
      // On a narrow terminal, the elapsed time is left out first, then the title.
      let choices = [[name + title, elapsed, left, paused], [name + title, left, paused], [name, left, paused]]
        .map { $0.compactMap(\.self).joined(separator: "; ") }
      lines.append(choices.first { $0.visible.displayWidth <= size.columns } ?? choices[choices.count - 1])
    } else {
      lines.append(trial.progress.closing == nil ? "between steps" : "ended; its bundle is being written")
    }
    if let clip = trial.progress.clip {
      let sound = trial.sounds.last.map { sound in
        "; onset at \(sound.onset.fixed(3)) s" + (sound.offset.map { ", offset at \($0.fixed(3)) s" } ?? "")
      }
      lines.append("clip \(clip.clip.name)\(clip.part), \(clip.requested.seconds.fixed(0)) s\(sound ?? "")")
    }
    return lines
  }

  private func name(of step: String, in trial: LiveTrial) -> String {
    (trial.number(of: step).map { "step \($0.number) of \($0.count), " } ?? "step ") + step
  }

  private func sensor(sensor: LiveTrial.SensorState, at now: Duration) -> String {
    var parts: [String] = []
    if let last = sensor.last {
      let age = now - last.time
      let isFresh = age < Self.fresh && !sensor.isLost
      parts.append(
        isFresh ? "♥ \(last.rate.fixed(0)) /min" : "♥ -- (\(last.rate.fixed(0)) /min \(age.clockText()) ago)")
    } else {
      if sensor.samples.isEmpty { parts.append("♥ --") }
    }
    for (time, sample) in sensor.samples {
      let age = now - time
      let value = "\(sample.channel.channelName) \(sample.unit.text(of: sample.value))"
      parts.append(age < Self.fresh && !sensor.isLost ? value : "\(value) \(age.clockText()) ago")
    }
    parts.append("\(sensor.name)")
    if sensor.isLost { parts.append("lost") }
    if sensor.contact == false { parts.append("no skin contact") }
    if !sensor.rates.isEmpty || sensor.samples.isEmpty { parts.append("\(sensor.rates.count) heart rates") }
    return parts.joined(separator: "  ")
  }

  private func chart(_ trial: LiveTrial, at now: Duration, rows: Int) -> String {
    let window = Self.window(trial, at: now.seconds)
    let heard = trial.sensors.filter { !$0.rates.isEmpty }
    let chart = LineChart.heartRates(
      // Include the minute before the window, for the line that leads into it.
      heard.map { ($0.name, HeartRates($0.rates.filter { $0.time > window.lowerBound - 60 })) },
      sounds: trial.sounds, clip: trial.progress.clip?.clip.name, window: window, now: now.seconds)
    return chart.braille(columns: size.columns, rows: rows)
  }

  /// The time window shown: from the first onset or heart rate, whichever is earlier, limited to the longest time.
  ///
  /// The first to arrive need not be the earliest: samples arrive late, and the intervals of one reading in reverse.
  static func window(_ trial: LiveTrial, at now: Double) -> ClosedRange<Double> {
    let times = trial.sensors.flatMap { $0.rates.map(\.time) } + trial.sounds.map(\.onset)
    let end = max(now, 10)
    return max(min(times.min() ?? 0, end - 10), end - Self.maxLength)...end
  }
}

extension String {
  /// The text in a number of terminal columns, with an ellipsis where its end is missing.
  package func shortened(to columns: Int) -> String {
    displayWidth > columns ? cut(to: columns - 1) + "…" : self
  }
}

/// A running trial as plain lines, one per event, for pipes and logs.
package struct LiveLines: Sendable {
  // The caveats already printed, without their numbers, which may grow.
  private var topics: Set<[String: JSONValue]> = []

  package init() {}

  /// The lines for a record that was just added to the trial.
  package mutating func lines(_ record: JournalRecord, _ trial: LiveTrial) -> [String] {
    let time = record.time.clockText()
    var lines: [String] = []
    func tell(_ text: String) { lines.append("\(time)  \(text)") }
    switch record.event {
    case .trialOpened(let opening):
      let place = trial.isAround ? "the steps around the trials" : trial.placeInSession
      tell(
        "trial \(opening.trial): \(opening.studyProtocol.identifier), participant \(opening.participant), session \(opening.session)"
          + (place.map { ", \($0)" } ?? ""))
    case .clipChosen(let clip): tell("clip \(clip.clip.name)\(clip.part), \(clip.requested.seconds.fixed(3)) s")
    case .stepStarted(let step):
      let place = trial.number(of: step).map { "step \($0.number) of \($0.count), " } ?? "step "
      tell(place + step + (trial.title(of: step).map { ": \($0)" } ?? ""))
    case .stepEnded(let step, let reason):
      if reason != .finished { tell("\(step): \(reason.rawValue)") }
    case .answered(let step, _, let value, _, _):
      tell("\(step): " + (value.map { "answer \($0.description.visible)" } ?? "not answered"))
    case .soundStarted(_, _, let onset): tell("onset at \(onset.time.seconds.fixed(3)) s")
    case .soundEnded(_, _, let offset, _): tell("offset at \(offset.time.seconds.fixed(3)) s")
    case .annotated(let text): tell("annotated: \(text.visible)")
    case .suspended: tell("paused")
    case .resumed: tell("resumed")
    case .sensorConnected(let sensor, _): tell("sensor “\(sensor)” connected")
    case .sensorLost(let sensor, let reason, _): tell("sensor “\(sensor)” lost: \(reason)")
    case .reading(let reading): if let text = Self.text(reading) { tell(text) }
    case .sample(let sample):
      tell("\(sample.sensor): \(sample.channel.channelName) \(sample.unit.text(of: sample.value))")
    case .trialClosed(let closing):
      tell("outcome: \(closing.outcome.rawValue)" + (closing.reason.map { ": \($0)" } ?? ""))
    default: break
    }
    for caveat in trial.progress.caveats where topics.insert(caveat.topic).inserted {
      tell("warning: \(caveat)")
    }
    return lines
  }

  private static func text(_ reading: SensorReading) -> String? {
    if reading.contact == false { return "\(reading.sensor): no skin contact" }
    let intervals = reading.rrIntervals.map { "\($0.fixed(0))" }.joined(separator: ", ")
    switch (reading.heartRate, reading.rrIntervals.isEmpty) {
    case (let rate?, true): return "\(reading.sensor): \(rate.fixed(0)) /min"
    case (let rate?, false): return "\(reading.sensor): \(rate.fixed(0)) /min, RR \(intervals) ms"
    case (nil, false): return "\(reading.sensor): RR \(intervals) ms"
    case (nil, true): return nil
    }
  }
}
