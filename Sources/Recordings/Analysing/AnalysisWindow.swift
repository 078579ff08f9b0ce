internal import Analysis

/// A part of a recording that is measured by itself.
public enum AnalysisWindow: Hashable, Sendable, CustomStringConvertible {
  /// The stimulus where it was measured, else everything.
  case automatic
  /// Everything that was recorded.
  case whole
  /// From the first sound's onset to the last one's offset.
  case stimulus
  /// What was recorded before the onset.
  case preStimulus
  /// What was recorded after the offset.
  case postStimulus
  /// A step of the protocol, by its identifier; of several appearances the first.
  case step(String)
  /// Seconds from the onset, or from the beginning of a recording without a stimulus.
  case seconds(ClosedRange<Double>)

  /// Reads what ``description`` writes: `stimulus`, `step:rest`, `-30:0`; `nil` for anything else.
  public init?(_ text: String) {
    switch text {
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

  /// The words that are windows.
  public static let words = ["stimulus", "preStimulus", "postStimulus", "whole", "step:NAME", "FROM:TO"]

  /// Seconds from one number to a larger one: `-10:30`.
  public static func range(_ text: String) -> ClosedRange<Double>? {
    let bounds = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
    guard bounds.count == 2, let from = bounds[0], let to = bounds[1], from.isFinite, to.isFinite, from < to else {
      return nil
    }
    return from...to
  }

  /// The window as it is given on a command line.
  public var description: String {
    switch self {
    case .automatic: "automatic"
    case .whole: "whole"
    case .stimulus: "stimulus"
    case .preStimulus: "preStimulus"
    case .postStimulus: "postStimulus"
    case .step(let name): "step:\(name)"
    case .seconds(let range): "\(range.lowerBound):\(range.upperBound)"
    }
  }
}

/// A window at its place in a recording, or why it has none.
public struct PlacedWindow: Hashable, Sendable {
  /// Which window it is; never ``AnalysisWindow/automatic``.
  public let window: AnalysisWindow

  /// Its beginning and end in seconds on the recording's axis; `nil` where it has no place.
  public let bounds: ClosedRange<Double>?

  /// What is to be said of it: why it has no place, or how it was chosen; a sentence.
  public let remark: String?

  /// The window in words: `the stimulus`.
  public var title: String {
    switch window {
    case .automatic, .whole: "everything recorded"
    case .stimulus: "the stimulus"
    case .preStimulus: "what was recorded before the stimulus"
    case .postStimulus: "what was recorded after the stimulus"
    case .step(let name): "the step “\(name)”"
    case .seconds(let range): "\(range.lowerBound) to \(range.upperBound) s"
    }
  }
}

extension Recording {
  /// From the beginning of the first interval, or the first rate, to the last; `nil` where nothing was recorded.
  public var extent: ClosedRange<Double>? {
    if let beats, beats.count > 0 { return beats.start...beats.end }
    guard let first = rates.times.first, let last = rates.times.last else { return nil }
    return first...last
  }

  /// Where a window lies in this recording.
  public func place(_ window: AnalysisWindow) -> PlacedWindow {
    guard let extent else { return PlacedWindow(window: window.orWhole, bounds: nil, remark: "Nothing was recorded.") }
    func placed(_ from: Double, _ to: Double, _ missing: String) -> PlacedWindow {
      from < to
        ? PlacedWindow(window: window, bounds: from...to, remark: nil)
        : PlacedWindow(window: window, bounds: nil, remark: missing)
    }
    func missing(_ reason: String) -> PlacedWindow { PlacedWindow(window: window, bounds: nil, remark: reason) }
    let noSound = "No sound was measured from its onset to its offset."
    switch window {
    case .whole: return PlacedWindow(window: .whole, bounds: extent, remark: nil)
    case .automatic:
      if let stimulus = trial?.stimulus { return PlacedWindow(window: .stimulus, bounds: stimulus, remark: nil) }
      let remark = trial == nil ? nil : "\(noSound) Everything that was recorded is measured."
      return PlacedWindow(window: .whole, bounds: extent, remark: remark)
    case .stimulus:
      guard let stimulus = trial?.stimulus else { return missing(noSound) }
      let paused = "The sound was paused; the pause belongs to the window."
      return PlacedWindow(
        window: .stimulus, bounds: stimulus, remark: (trial?.sounds.count ?? 0) > 1 ? paused : nil)
    case .preStimulus:
      guard let onset = trial?.sounds.first?.onset else { return missing("No onset was measured.") }
      return placed(extent.lowerBound, onset, "Nothing was recorded before the stimulus.")
    case .postStimulus:
      guard let offset = trial?.stimulus?.upperBound else { return missing(noSound) }
      return placed(offset, extent.upperBound, "Nothing was recorded after the stimulus.")
    case .step(let name):
      guard let trial else { return missing("A file that is no trial's has no steps.") }
      guard let step = trial.steps.first(where: { $0.identifier == name }) else {
        let names = trial.steps.map { "“\($0.identifier)”" }.joined(separator: ", ")
        return missing("The trial did not come to a step “\(name)”" + (names.isEmpty ? "." : "; it has \(names)."))
      }
      return placed(step.start, step.end ?? extent.upperBound, "The step “\(name)” took no time.")
    case .seconds(let range):
      let onset = trial?.sounds.first?.onset
      let remark = "No onset was measured; seconds count from the trial's zero."
      return PlacedWindow(
        window: window, bounds: (onset ?? 0) + range.lowerBound...(onset ?? 0) + range.upperBound,
        remark: trial != nil && onset == nil ? remark : nil)
    }
  }
}

extension AnalysisWindow {
  fileprivate var orWhole: AnalysisWindow { self == .automatic ? .whole : self }
}
