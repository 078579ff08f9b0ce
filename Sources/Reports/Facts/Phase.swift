internal import Analysis
internal import Recordings

/// A part of a trial by its sound: before, while and after it is heard.
struct Phase: Hashable, Sendable {
  /// Its name at the head of a column.
  let name: String
  /// Its beginning and end, in seconds since the trial's zero.
  let window: ClosedRange<Double>

  /// The parts in which something was recorded; the whole recording where no onset and offset were measured.
  static func phases(of recording: Recording) -> [Phase] {
    guard let extent = recording.track.extent else { return [] }
    guard let stimulus = recording.trial?.stimulus else { return [Phase(name: "whole recording", window: extent)] }
    var phases: [Phase] = []
    if extent.lowerBound < stimulus.lowerBound {
      phases.append(Phase(name: "before", window: extent.lowerBound...stimulus.lowerBound))
    }
    phases.append(Phase(name: "stimulus", window: stimulus))
    if extent.upperBound > stimulus.upperBound {
      phases.append(Phase(name: "after", window: stimulus.upperBound...extent.upperBound))
    }
    return phases.filter { $0.name == "stimulus" || recording.track.mean(in: $0.window) != nil }
  }
}

extension HeartRateTrack {
  /// From the first beat or rate to the last; `nil` where there is none.
  var extent: ClosedRange<Double>? {
    guard let first = spans.map(\.start).min(), let last = spans.last?.end, last >= first else { return nil }
    return first...last
  }

  /// The mean over a window, weighted with time; `nil` where less than two seconds of it are known.
  func mean(in window: ClosedRange<Double>) -> Double? {
    let (rate, coverage) = mean(from: window.lowerBound, to: window.upperBound)
    return coverage * (window.upperBound - window.lowerBound) >= 2 ? rate : nil
  }
}
