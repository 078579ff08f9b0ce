import Basics

/// A machine-readable remark on a computed number or on its window, with its numbers.
///
/// A new one is a case here, its words are below.
package enum AnalysisCaveat: Hashable, Sendable, TaggedInJSON {
  /// The name of the member that holds a caveat's code.
  package static var jsonTag: String { "caveat" }

  /// Beats or rates are missing: the number of gaps, how many of how many seconds are covered, and the number of
  /// differences for measures of differences.
  case gapsInWindow(count: Int, known_s: Double, whole_s: Double, differences: Int?)

  /// Only the longest stretch without a gap is used; with its duration in seconds.
  case longestStretch(gaps: Int, stretch_s: Double)

  /// SDNN and SDSD, from which SD2 is computed, use different sets of intervals, because there are gaps.
  case unlikeIntervals

  /// The spectrum's segments cover only part of the available seconds.
  case segments(covered_s: Double, available_s: Double)

  /// The HF band extends above half the mean heart rate; both in hertz.
  case slowHeart(bound_Hz: Double, half_Hz: Double)

  /// The covered duration, in seconds, is shorter than the literature requires.
  case short(known_s: Double, least_s: Double, source: String, hasGaps: Bool)

  /// There are fewer intervals than the literature requires.
  case fewIntervals(count: Int, least: Int, source: String)

  /// The number of intervals does not exceed the literature's limit.
  case noMoreIntervals(count: Int, limit: Int, source: String)

  /// The fraction of recorded intervals that were corrected or dropped is higher than usual, from 0 to 1.
  case artefacts(share: Double)

  /// Only this fraction of the window is covered, from 0 to 1.
  case partlyKnown(share: Double, from_s: Double, to_s: Double)

  /// Windows of different lengths are compared by a measure that depends on duration.
  case unlikeWindows(measure: Measure, windows: [NamedDuration])

  /// Heart rates are the sensor's own, because they cover more of the window than the intervals do; from 0 to 1.
  case sensorRates(rates: Double, intervals: Double)

  /// There is no event to place the window by, so that the whole recording is measured.
  case wholeRecording(because: MissingNumber)

  /// The sound was paused within the window.
  case soundPaused

  /// The window is more than ten times as long as the recording.
  case windowTooLong

  /// A confidence interval is computed from few observations.
  case fewObservations(count: Int)

  /// The covered duration of one of several windows.
  package struct NamedDuration: Hashable, Codable, Sendable {
    /// The window's name in a sentence: `rest`.
    package let name: String
    /// The covered duration, in seconds.
    package let seconds: Double

    init(_ name: String, seconds: Double) {
      self.name = name
      self.seconds = seconds
    }
  }
}

extension AnalysisCaveat: CustomStringConvertible {
  package var description: String { wording.description }

  /// The sentence, with its numbers apart.
  var wording: Wording {
    switch self {
    case .gapsInWindow(let count, let known, let whole, let differences):
      "\(Self.subject(count)); \(known, shown) of \(whole, shown) s are known\(Self.detail(differences))."
    case .longestStretch(let gaps, let seconds):
      "\(Self.subject(gaps)); only the longest stretch without one, \(seconds, shown) s, is used."
    case .unlikeIntervals:
      "SD2 is computed from SDNN, which uses all intervals, and from SDSD, which does not use those beside gaps."
    case .segments(let covered, let available):
      "The spectrum's segments cover \(covered, shown) of \(available, shown) s."
    case .slowHeart(let bound, let half):
      "The HF band extends to \("\(bound)") Hz, above half the mean heart rate (\(half, fixed: 3) Hz), beyond which "
        + "beats carry no information."
    case .short(let seconds, let least, let source, true):
      "The \(seconds, shown) s that are known are shorter than \(shown(least)) s: \(source)."
    case .short(let seconds, let least, let source, false):
      "The window of \(seconds, shown) s is shorter than \(shown(least)) s: \(source)."
    case .fewIntervals(let count, let least, let source): "\(count) intervals are fewer than \("\(least)"): \(source)."
    case .noMoreIntervals(let count, let limit, let source):
      "\(count) intervals are not more than \("\(limit)"): \(source)."
    case .artefacts(let share):
      "\(share * 100, shown) % of the recorded intervals were corrected or dropped as artefacts."
    case .partlyKnown(let share, let from, let to): "\(Self.known(share, from, to))."
    case .unlikeWindows(let measure, let windows):
      "\(measure.title) depends on the duration, and the windows differ: \(Self.list(windows))."
    case .sensorRates(let rates, let intervals):
      "Heart rates are the sensor's own, which are known for \(rates * 100, fixed: 0) % of the window; the intervals "
        + "between beats are known for \(intervals * 100, fixed: 0) %."
    case .wholeRecording(let reason): "\(reason.wording) The whole recording is measured."
    case .soundPaused: "The sound was paused; the pause belongs to the window."
    case .windowTooLong:
      "The window is more than ten times as long as the recording; windows are in seconds, not in milliseconds."
    case .fewObservations(let count):
      "With \(count) observations a percentile bootstrap interval contains the mean less often than its level states."
    }
  }

  /// The caveat as a sentence without numbers of its own window, so that several windows can share it.
  package var general: String {
    switch self {
    case .gapsInWindow: "There are gaps."
    case .longestStretch: "There are gaps; only the longest stretch without one is used."
    case .segments: "The spectrum's segments do not reach the end of the window."
    case .slowHeart(let bound, _):
      "The HF band extends to \(bound) Hz, above half the mean heart rate, beyond which beats carry no information."
    case .short(_, let least, let source, _): "Less than \(shown(least)) s are known: \(source)."
    case .fewIntervals(_, let least, let source): "There are fewer than \(least) intervals: \(source)."
    case .noMoreIntervals(_, let limit, let source): "There are no more than \(limit) intervals: \(source)."
    case .artefacts: "More than 5 % of the recorded intervals were corrected or dropped as artefacts."
    case .partlyKnown: "Less than 90 % of the window is known."
    case .unlikeWindows(let measure, _): "\(measure.title) depends on the duration, and the windows differ."
    default: description
    }
  }

  /// A coverage as a clause.
  static func known(_ share: Double, _ from: Double, _ to: Double) -> Wording {
    "\(share * 100, fixed: 0) % of the window from \(from, shown) to \(to, shown) s is known"
  }

  private static func subject(_ gaps: Int) -> Wording { gaps == 1 ? "There is a gap" : "There are \(gaps) gaps" }

  private static func detail(_ differences: Int?) -> Wording {
    differences.map { ", with \($0) differences between intervals" } ?? ""
  }

  private static func list(_ windows: [NamedDuration]) -> Wording {
    windows.enumerated().reduce("") { list, window in
      "\(list)\(window.offset == 0 ? "" : ", ")\(window.element.seconds, shown) s of \(window.element.name)"
    }
  }
}
