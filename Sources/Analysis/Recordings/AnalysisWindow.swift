import Recordings

/// A part of a recording that is measured by itself.
package enum AnalysisWindow: Hashable, Sendable, CustomStringConvertible {
  /// The event where it has an onset and an offset, else everything.
  case automatic
  /// Everything that was recorded.
  case whole
  /// The event: unless another is chosen, from the first sound's measured onset to the last one's offset.
  case stimulus
  /// What was recorded before the event.
  case preStimulus
  /// What was recorded after the event.
  case postStimulus
  /// A step of the protocol, by its identifier; of several appearances the first.
  case step(String)
  /// Seconds from the event's onset, or from the beginning of a file from outside a trial that has no event.
  case seconds(ClosedRange<Double>)

  /// Reads what ``description`` writes: `stimulus`, `step:rest`, `-30:0`; `nil` for anything else.
  package init?(_ text: String) {
    switch text {
    case "automatic": self = .automatic
    case "whole": self = .whole
    case "stimulus": self = .stimulus
    case "preStimulus": self = .preStimulus
    case "postStimulus": self = .postStimulus
    default:
      if text.hasPrefix("step:"), text.utf8.count > 5 {
        self = .step(String(text.dropFirst(5)))
      } else if let range = Self.range(text) {
        self = .seconds(range)
      } else {
        return nil
      }
    }
  }

  package static let words = ["stimulus", "preStimulus", "postStimulus", "whole", "step:NAME", "FROM:TO"]

  /// The furthest from zero that seconds may lie: thirty years.
  package static let furthest = 1e9

  /// A number of a text; `nil` for other texts, and for what is further from zero than a limit.
  static func number(_ text: some StringProtocol, within limit: Double = furthest) -> Double? {
    Double(text).flatMap { $0.magnitude <= limit ? $0 : nil }
  }

  /// From one number to a larger one, neither further from zero than a limit: `-10:30`.
  package static func range(_ text: String, within limit: Double = furthest) -> ClosedRange<Double>? {
    let bounds = text.split(separator: ":", omittingEmptySubsequences: false).map { number($0, within: limit) }
    guard bounds.count == 2, let from = bounds[0], let to = bounds[1], from < to else { return nil }
    return from...to
  }

  static func text(_ range: ClosedRange<Double>) -> String { "\(text(range.lowerBound)):\(text(range.upperBound))" }

  /// A number of seconds as it would be typed: `-10` and not `-10.0`.
  static func text(_ seconds: Double) -> String {
    seconds == seconds.rounded() && seconds.magnitude < 1e15 ? "\(Int(seconds))" : "\(seconds)"
  }

  /// The window as it is given on a command line.
  package var description: String {
    switch self {
    case .automatic: "automatic"
    case .whole: "whole"
    case .stimulus: "stimulus"
    case .preStimulus: "preStimulus"
    case .postStimulus: "postStimulus"
    case .step(let name): "step:\(name)"
    case .seconds(let range): Self.text(range)
    }
  }
}

/// A window at its place in a recording, or why it has none.
package struct PlacedWindow: Hashable, Sendable {
  /// Which window it is; never ``AnalysisWindow/automatic``.
  package let window: AnalysisWindow

  /// Its beginning and end in seconds on the recording's axis; `nil` where it has no place.
  package let bounds: ClosedRange<Double>?

  /// Why it has no place; `nil` where it has one.
  package private(set) var missing: MissingNumber?

  /// The caveat on its choice.
  package private(set) var caveat: AnalysisCaveat?

  /// What the window is locked to; `nil` where there is no event.
  let event: TrialEvent?

  /// The window in words: `the stimulus`.
  package var title: String {
    let event = event?.source ?? .stimulus
    return switch window {
    case .automatic, .whole: "everything recorded"
    case .stimulus: event.title
    case .preStimulus: "what was recorded before \(event.title)"
    case .postStimulus: "what was recorded after \(event.title)"
    case .step(let name): "the step “\(name)”"
    case .seconds(let range):
      "\(AnalysisWindow.text(range.lowerBound)) to \(AnalysisWindow.text(range.upperBound)) s"
    }
  }
}

extension Recording {
  /// From the beginning of the first interval, or of the time that a rate told before it stands for, to the last; `nil`
  /// where nothing was recorded.
  package var extent: ClosedRange<Double>? {
    if let channelExtent { return channelExtent }
    let spans = ratesTrack.spans
    let intervals = heart.beats.flatMap { $0.count > 0 ? $0.start...$0.end : nil }
    guard let first = spans.first, let last = spans.last else { return intervals }
    guard let intervals else { return first.start...last.end }
    let start = first.end <= intervals.lowerBound ? first.start : intervals.lowerBound
    return start...max(intervals.upperBound, last.end)
  }

  /// Where a window lies in this recording.
  package func place(_ window: AnalysisWindow) -> PlacedWindow {
    let event = event
    func missing(_ reason: MissingNumber) -> PlacedWindow {
      PlacedWindow(window: window == .automatic ? .whole : window, bounds: nil, missing: reason, event: event)
    }
    guard let extent else { return missing(.nothingRecorded) }
    func placed(_ from: Double, _ to: Double, _ reason: MissingNumber) -> PlacedWindow {
      from < to ? PlacedWindow(window: window, bounds: from...to, event: event) : missing(reason)
    }
    switch window {
    case .whole: return PlacedWindow(window: .whole, bounds: extent, event: event)
    case .automatic:
      if event?.window != nil { return place(.stimulus) }
      let isExplained = trial != nil || events != [.stimulus]
      let caveat = isExplained ? AnalysisCaveat.wholeRecording(because: eventIsMissing) : nil
      return PlacedWindow(window: .whole, bounds: extent, caveat: caveat, event: event)
    case .stimulus:
      guard let bounds = event?.window else { return missing(eventIsMissing) }
      let isPaused = event?.source == .stimulus && (trial?.sounds.count ?? 0) > 1
      return PlacedWindow(
        window: .stimulus, bounds: bounds, caveat: isPaused ? .soundPaused : nil, event: event)
    case .preStimulus:
      guard let event else { return missing(onsetIsMissing) }
      return placed(extent.lowerBound, event.onset, .nothingBefore(event: event.source.title))
    case .postStimulus:
      guard let event, let offset = event.window?.upperBound else { return missing(eventIsMissing) }
      return placed(offset, extent.upperBound, .nothingAfter(event: event.source.title))
    case .step(let name):
      guard let trial else { return missing(.noSteps) }
      guard let step = trial.steps.first(where: { $0.identifier == name }) else {
        return missing(.noStep(step: name, steps: trial.steps.map(\.identifier)))
      }
      return placed(step.start, step.end ?? extent.upperBound, .emptyStep(step: name))
    case .seconds(let range):
      guard trial == nil || event != nil else { return missing(.noZero(because: onsetIsMissing)) }
      let zero = event?.onset ?? extent.lowerBound
      let bounds = zero + range.lowerBound...zero + range.upperBound
      let isLong = bounds.upperBound - bounds.lowerBound > 10 * (extent.upperBound - extent.lowerBound)
      return PlacedWindow(window: window, bounds: bounds, caveat: isLong ? .windowTooLong : nil, event: event)
    }
  }

  /// Why there is no onset.
  package var onsetIsMissing: MissingNumber {
    guard let trial, events == [.stimulus] else { return eventIsMissing }
    return trial.hasNoSound ?? .noOnset
  }
}
