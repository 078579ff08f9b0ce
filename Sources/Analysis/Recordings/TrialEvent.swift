/// What windows, phases and responses may be locked to.
package enum EventSource: Hashable, Sendable, CustomStringConvertible {
  /// What sounded, from its measured onset to its measured offset.
  case stimulus
  /// A step of the protocol, by its identifier; of several appearances the first.
  case step(String)
  /// Seconds on the recording's own axis: when it began, and when it ended where that is known.
  case seconds(Double, Double?)

  /// What an event may be called.
  package static let words = ["stimulus", "step:NAME", "SECONDS", "FROM:TO"]

  /// Reads what ``description`` writes: `stimulus`, `step:silence`, `20`, `20:50`; `nil` for anything else.
  package init?(_ text: String) {
    if text == "stimulus" {
      self = .stimulus
    } else if text.hasPrefix("step:"), text.utf8.count > 5 {
      self = .step(String(text.dropFirst(5)))
    } else if let range = AnalysisWindow.range(text) {
      self = .seconds(range.lowerBound, range.upperBound)
    } else if let onset = AnalysisWindow.number(text) {
      self = .seconds(onset, nil)
    } else {
      return nil
    }
  }

  /// The event as it is given on a command line.
  package var description: String {
    switch self {
    case .stimulus: "stimulus"
    case .step(let name): "step:\(name)"
    case .seconds(let onset, let offset): offset.map { AnalysisWindow.text(onset...$0) } ?? AnalysisWindow.text(onset)
    }
  }

  /// What it is called in a sentence.
  package var title: String {
    switch self {
    case .stimulus: "the stimulus"
    case .step(let name): "the step “\(name)”"
    case .seconds: "the event"
    }
  }
}

/// An event of a recording: what its windows, phases and responses are locked to.
package struct TrialEvent: Hashable, Sendable {
  package let source: EventSource

  /// When it began, in seconds on the recording's axis.
  package let onset: Double

  /// When it ended; `nil` where that is not known.
  package let offset: Double?

  /// From its onset to its offset; `nil` where it has no end.
  package var window: ClosedRange<Double>? { offset.flatMap { $0 >= onset ? onset...$0 : nil } }
}

extension TrialFacts {
  /// The first of several events that the trial has; `nil` where it has none of them.
  package func event(_ sources: [EventSource] = [.stimulus]) -> TrialEvent? {
    for source in sources {
      switch source {
      case .stimulus:
        if let onset = sounds.first?.onset {
          return TrialEvent(source: source, onset: onset, offset: sounds.last?.offset)
        }
      case .step(let name):
        if let step = steps.first(where: { $0.identifier == name }) {
          return TrialEvent(source: source, onset: step.start, offset: step.end)
        }
      case .seconds(let onset, let offset): return TrialEvent(source: source, onset: onset, offset: offset)
      }
    }
    return nil
  }
}

extension TrialFacts {
  /// Why a trial without a clip has no stimulus, with the step that can be measured instead; `nil` for other trials.
  var hasNoSound: MissingNumber? {
    guard clip == nil, sounds.isEmpty else { return nil }
    func duration(_ step: Step) -> Double { step.end.map { $0 - step.start } ?? 0 }
    let active = steps.filter { $0.begun != nil && duration($0) > 0 }
    return active.max { duration($0) < duration($1) }.map { .noSound(step: $0.identifier) }
  }
}

extension Recording {
  /// What windows, phases and responses are locked to: the first of ``events`` that the recording has.
  ///
  /// A recording from outside a trial has neither sounds nor steps, and may be given an event in seconds.
  package var event: TrialEvent? {
    if let trial { return trial.event(events) }
    for case .seconds(let onset, let offset) in events {
      return TrialEvent(source: .seconds(onset, offset), onset: onset, offset: offset)
    }
    return nil
  }

  /// The same recording with its windows, phases and responses locked to the first of several events that it has.
  func locked(to events: [EventSource]) -> Recording {
    var locked = self
    locked.events = events
    return locked
  }

  /// Why there is no event, or none with an end.
  var eventIsMissing: MissingNumber {
    if let event, event.window == nil {
      return event.source == .stimulus ? .noStimulus : .noEnd(event: event.source.title)
    }
    guard let trial else { return .noTrial }
    guard events != [.stimulus] else { return trial.hasNoSound ?? .noStimulus }
    return .noEvent(events: events.map(\.description), steps: trial.steps.map(\.identifier))
  }
}
