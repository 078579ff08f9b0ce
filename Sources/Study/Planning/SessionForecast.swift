package import Basics

/// How long a session is likely to last: its active steps, and what people and the station need beside them.
///
/// Every step is taken to be shown and every question to be asked, whatever the rules say.
package struct SessionForecast: Hashable, Sendable {
  /// How long a question takes to be read and answered.
  static let perQuestion = Duration.seconds(10)
  /// How long it takes to press Return, also where there is nothing to read.
  static let perScreen = Duration.seconds(5)
  /// How many words a second are read, on the screen and in consent documents.
  static let wordsPerSecond = 3.0
  /// How long the station needs from one trial to the next, beside the time in which recorders wait for late samples.
  static let perTrial = Duration.seconds(1)

  /// The active steps that end by themselves.
  package private(set) var active = Duration.zero
  /// How many questions are asked.
  private(set) var questions = 0
  /// How many screens wait for Return.
  private(set) var screens = 0
  /// Reading them, and pressing Return.
  private(set) var reading = Duration.zero
  /// Choosing the volume, and checking headphones and sensors.
  private(set) var checks = Duration.zero
  /// What lies between trials and after the last one: late samples, and the work of the station.
  private(set) var gaps = Duration.zero

  /// The answers to all questions.
  var answering: Duration { Self.perQuestion * questions }
  /// The whole session.
  package var total: Duration { active + answering + reading + checks + gaps }

  package init(_ plan: Plan, of studyProtocol: StudyProtocol) {
    let wide = studyProtocol.recorderConfigurations
    if plan.steps.isEmpty {
      for trial in plan.trials { add(part: trial.steps, wide.filter { $0.scope != .step }) }
      return
    }
    let byNumber = Dictionary(plan.trials.map { ($0.number, $0) }) { first, _ in first }
    for number in plan.steps.flatMap({ $0.trials?.numbers ?? [] }) {
      add(part: byNumber[number]?.steps ?? [], wide.filter { $0.scope == .trial })
    }
    add(part: plan.steps, wide.filter { $0.scope == .session })
  }

  /// Adds steps that have a bundle of their own, of which each recorder waits for late samples.
  private mutating func add(part steps: [Step], _ recorders: [RecorderConfiguration]) {
    let before = total
    var settled = before
    for step in steps {
      add(step)
      for recorder in step.active?.recorderConfigurations ?? [] { settled = max(settled, total + recorder.settle) }
    }
    for recorder in recorders { settled = max(settled, total + recorder.settle) }
    gaps += max(.zero, settled - total) + Self.perTrial
  }

  private mutating func add(_ step: Step) {
    switch step.kind.effort {
    case .questions(let count): questions += count
    case .screen: addScreen(step)
    case .check(let duration): checks += duration
    case .inner: break
    case .active:
      guard let active = step.active else { return }
      self.active += active.stepDuration
      if !active.shouldStartTimerAutomatically { addScreen(step) }
      if active.stepDuration == .zero || !active.shouldContinueOnFinish {
        (screens, reading) = (screens + 1, reading + Self.perScreen)
      }
    }
  }

  /// Adds a screen that is read, and left with Return.
  private mutating func addScreen(_ step: Step) {
    let texts = [step.title, step.text, step.detailText].compactMap(\.self)
    let words = texts.flatMap { $0.split(whereSeparator: \.isWhitespace) }.count
    screens += 1
    reading += Self.perScreen + Duration(seconds: Double(words) / Self.wordsPerSecond)
  }
}

extension SessionForecast: CustomStringConvertible {
  /// The whole time and its parts: `about 33.6 min in all: 30.0 min of active steps, 1.7 min for 10 questions at 10 s, …`.
  package var description: String {
    func minutes(_ duration: Duration) -> String { "\((duration.seconds / 60).fixed(1)) min" }
    var parts = ["\(minutes(active)) of active steps"]
    if questions > 0 {
      parts.append(
        "\(minutes(answering)) for \(questions.counted("question")) at \(Int(Self.perQuestion.seconds)) s each")
    }
    if screens > 0 {
      let waits = screens == 1 ? "waits" : "wait"
      parts.append("\(minutes(reading)) for \(screens.counted("screen")) that \(waits) for Return")
    }
    if checks > .zero { parts.append("\(minutes(checks)) for volume, headphones and sensors") }
    parts.append("\(minutes(gaps)) between trials and at the end")
    return "about \(minutes(total)) in all: \(parts.joined(separator: ", "))"
  }

  /// The forecast for programs.
  package var json: JSONValue {
    [
      "total_s": .number(total.seconds), "activeSteps_s": .number(active.seconds),
      "questions": .integer(questions), "perQuestion_s": .number(Self.perQuestion.seconds),
      "screens": .integer(screens), "reading_s": .number(reading.seconds), "checks_s": .number(checks.seconds),
      "gaps_s": .number(gaps.seconds),
    ]
  }
}

extension StudyProtocol {
  /// The longest session of any group, in which each drawn duration is the longest; `nil` where none can be planned.
  package var longestSession: SessionForecast? {
    var timed = self
    timed.steps = steps.map(\.withoutDraws)
    return (groups?.groups.map { $0.name as String? } ?? [nil]).compactMap { group in
      (try? Plan.make(for: timed, clips: [], seed: 0, place: PlanPlace(group: group))).map {
        SessionForecast($0, of: self)
      }
    }.max { $0.total < $1.total }
  }
}

extension Step {
  /// The step with its longest duration, and as long a rest in the place of music.
  fileprivate var withoutDraws: Step {
    var step = self
    if var trials {
      trials.steps = trials.steps.map(\.withoutDraws)
      let breaks = trials.breaks?.steps.map(\.withoutDraws) ?? []
      trials.breaks?.steps = breaks
      step.kind = trials
      return step
    }
    guard var active else { return self }
    active.jitter = nil
    step.kind = RestStep(active)
    return step
  }
}
