import Analysis
import Basics
import Bundles
import Quantities
import Study

extension SessionHead {
  /// The line with which a stream begins, at a time; with the remarks that a console has buttons for.
  func json(at seconds: Double, _ labels: [String]) -> JSONValue {
    let trials = plan.trials.map { trial -> JSONValue in
      var members: [String: JSONValue] = ["number": .integer(trial.number)]
      members["condition"] = trial.placement.map { .string($0.condition) }
      members["practice"] = trial.placement.map { .bool($0.isPractice) }
      members["clip"] = trial.stimulus.map { .string($0.clip.name) }
      return .object(members)
    }
    var members: [String: JSONValue] = [
      "kind": "session", "session": .string(session), "protocol": .string(studyProtocol.identifier),
      "version": .string(studyProtocol.version), "participant": .string(participant), "number": .string(number),
      "language": .string(language), "unattended": .bool(isUnattended), "trials": .array(trials),
      "sensors": .object(sensors.mapValues { .string($0) }), "now_s": .number(seconds),
      "labels": .array(labels.map { .string($0) }),
    ]
    members["group"] = plan.place.group.map { .string($0) }
    return .object(members)
  }
}

extension DeskState {
  /// The line that says how things are, at a time.
  func state(at now: Moment) -> JSONValue {
    var members: [String: JSONValue] = [
      "kind": "state", "now_s": .number(seconds(now)), "over": .bool(isOver),
      "sensors": .array(sensors.map(\.json)), "offers": .array(offers.map { .string($0) }),
      "questions": .array(questions.map { $0.question.json($0.number) }),
      "done": .array(done.sorted { $0.key < $1.key }.map { $1.json($0) }),
    ]
    if !checks.isEmpty { members["checks"] = .array(checks.map(\.json)) }
    members["waits"] = wait.map { .string($0) }
    members["screen"] = screen?.summary
    members["left_s"] = remaining.map { left, moment in
      .number(max(0, (left - moment.duration(to: now)).seconds).rounded())
    }
    if let around = session.around { members["around"] = json(of: around, at: now) }
    if let trial = session.trial { members["trial"] = json(of: trial, at: now) }
    return .object(members)
  }

  private func json(of trial: LiveTrial, at now: Moment) -> JSONValue {
    guard let opening = trial.progress.opening else { return .null }
    let zero = opening.place.map { Moment(nanoseconds: Int64($0.zero.nanoseconds)) } ?? now
    let time = max(trial.latest, zero.duration(to: now))
    var members: [String: JSONValue] = [
      "identifier": .string(opening.trial), "paused": .bool(trial.isPaused),
      "caveats": .array(trial.progress.caveats.map { .string("\($0)") }),
      "verdict": .string(trial.progress.verdict.rawValue),
    ]
    members["number"] = opening.place?.trial.map { .integer($0) }
    members["condition"] = opening.design.map { .string($0.condition) }
    members["question"] = trial.progress.course.openQuestion.map { .string($0) }
    if let clip = trial.progress.clip {
      members["clip"] = .string("\(clip.clip.name)\(clip.part)")
      members["requested_s"] = .number(clip.requested.seconds)
    }
    if let late = trial.lateness {
      members["late_ms"] = .number(late.time.seconds * 1000)
      members["uncertainty_ms"] = .number(late.uncertainty.seconds * 1000)
    }
    if let step = trial.step {
      var shown: [String: JSONValue] = [
        "identifier": .string(step.identifier), "elapsed_s": .number((time - step.start).seconds),
      ]
      shown["title"] = trial.title(of: step.identifier).map { .string($0) }
      if let place = trial.number(of: step.identifier) {
        (shown["number"], shown["count"]) = (.integer(place.number), .integer(place.count))
      }
      shown["left_s"] = step.remaining(at: time).map { .number($0.seconds) }
      members["step"] = .object(shown)
    }
    members["closed"] = .bool(trial.progress.closing != nil)
    return .object(members)
  }
}

extension DeskState.DoneTrial {
  fileprivate func json(_ number: Int) -> JSONValue {
    var members: [String: JSONValue] = ["number": .integer(number), "bundle": .string(identifier.description)]
    members["verdict"] = verdict.map { .string($0.rawValue) }
    members["complaint"] = complaint.map { .string($0) }
    return .object(members)
  }
}

extension DeskState.WaveformPart {
  /// The line that brings it.
  var json: JSONValue {
    [
      "kind": "wave", "sensor": .string(sensor), "quantity": .string(format.type.identifier),
      "unit": .string("\(format.unit)"),
      "rate": .number(format.rate / Double(step)), "step": .integer(step), "t_s": .number(time),
      "values": .array(values.map { .finite(Double($0)) }),
    ]
  }
}

extension DeskSensor {
  fileprivate var json: JSONValue {
    var members: [String: JSONValue] = ["name": .string(name), "connected": .bool(isConnected)]
    members["rate"] = last.map { .number($0.rate) }
    members["rate_s"] = last.map { .number($0.time) }
    members["contact"] = contact.map { .bool($0) }
    members["problem"] = problem.map { .string($0.words) }
    members["note"] = note.map { .string($0) }
    members["samples"] = .array(
      samples.map { time, sample in
        [
          "name": .string(sample.type.channelName), "text": .string(sample.unit.text(of: sample.value)),
          "t_s": .number(time),
        ]
      })
    members["waveforms"] = .array(
      waveforms.map { ["quantity": .string($0.type.identifier), "channels": .array($0.channels.map { .string($0) })] })
    return .object(members)
  }
}

extension StationQuestion {
  /// What a console asks, and what can be answered.
  fileprivate func json(_ number: Int) -> JSONValue {
    let (text, answers): (String, [(StationAnswer, String)]) =
      switch self {
      case .start: ("Start the session?", [(.goOn, "Start"), (.end, "Back")])
      case .sensors(let shortfalls):
        (
          "No plausible sample: " + shortfalls.map { "\($0)" }.joined(separator: "; "),
          [(.again, "Try again"), (.goOn, "Start without these samples"), (.end, "End the session")]
        )
      case .badTrial(let place, let reasons):
        (
          "Trial \(place.trial ?? 0) of \(place.trials) is bad: "
            + reasons.map(\.description).joined(separator: "; "),
          [(.again, "Perform it once more"), (.goOn, "Go on")]
        )
      case .paused(let place):
        (
          "The session is paused after trial \(place.trial ?? 0) of \(place.trials).",
          [(.goOn, "Go on"), (.end, "End the session")]
        )
      }
    return [
      "number": .integer(number), "text": .string(text), "isStart": .bool(isStart),
      "answers": .array(answers.map { ["do": .string($0.rawValue), "text": .string($1)] }),
    ]
  }
}

extension Screen {
  /// What the participant sees, in words.
  fileprivate var summary: JSONValue {
    var members: [String: JSONValue] = [
      "number": .integer(number), "step": .string(step), "texts": .array(texts.map { .string($0) }),
      "paused": .bool(isPaused), "entry": .text(entry?.summary), "language": .string(language),
      "rightToLeft": .bool(isRightToLeft),
    ]
    members["title"] = title.map { .string($0) }
    members["prompt"] = asked?.prompt.map { .string($0) }
    if let question { members["question"] = .string("\(question.number) / \(question.count)") }
    if case .question(let asked) = entry { members["choices"] = .array(asked.format.legend.map { .string($0) }) }
    members["waitsFor"] = mainButton.map { .string($0.name) }
    members["skippable"] = .bool(buttons.contains(.skip))
    return .object(members)
  }
}

extension Screen.Entry {
  fileprivate var summary: String {
    switch self {
    case .question(let question): question.format.expectation
    case .form(let questions, _): "\(questions.count) questions"
    case .signature: "signature"
    case .line(let percent, _): "rating, \(percent)"
    case .volume(let gain, _, _): "volume, \(gain.fixed(1)) dB"
    case .side: "left or right"
    }
  }
}

extension Screen.Button {
  fileprivate var name: String {
    switch self {
    case .goOn: "goOn"
    case .start: "start"
    case .finish: "finish"
    case .next: "next"
    case .back: "back"
    case .again: "again"
    case .skip: "skip"
    }
  }
}
