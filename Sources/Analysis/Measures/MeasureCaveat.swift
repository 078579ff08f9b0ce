/// A caveat on a number: its kind, with its own numbers.
package enum MeasureCaveat: Hashable, Sendable {
  /// Beats or rates are missing: the number of gaps, `known` of `whole` seconds covered, and the number of differences
  /// for measures of differences.
  case gaps(Int, known: Double, whole: Double, differences: Int?)

  /// Only the longest stretch without a gap is used; with its duration in seconds.
  case longestStretch(gaps: Int, seconds: Double)

  /// SDNN and SDSD, from which SD2 is computed, use different sets of intervals, because there are gaps.
  case unlikeIntervals

  /// The spectrum's segments cover only part of the available seconds.
  case segments(covered: Double, available: Double)

  /// The HF band extends above half the mean heart rate; both in hertz.
  case slowHeart(bound: Double, half: Double)

  /// The covered duration, in seconds, is shorter than the literature requires.
  case short(seconds: Double, least: Double, source: String, hasGaps: Bool)

  /// There are fewer intervals than the literature requires.
  case fewIntervals(Int, least: Int, source: String)

  /// The number of intervals does not exceed the literature's limit.
  case noMoreIntervals(Int, limit: Int, source: String)

  /// The fraction of recorded intervals that were corrected or dropped is higher than usual, from 0 to 1.
  case artefacts(share: Double)

  /// Only a part of the window is covered.
  case partlyKnown(Coverage)

  /// Windows of different lengths are compared by a measure that depends on duration.
  case unlikeWindows(Measure, [NamedDuration])

  /// The covered duration of one of several windows.
  package struct NamedDuration: Hashable, Sendable {
    /// The window's name in a sentence: `rest`.
    package let name: String
    /// The covered duration, in seconds.
    package let seconds: Double

    /// Creates a named duration.
    package init(_ name: String, seconds: Double) {
      self.name = name
      self.seconds = seconds
    }
  }

  /// The caveat as a sentence, with its numbers.
  package var sentence: String {
    switch self {
    case .gaps(let count, let known, let whole, let differences):
      let detail = differences.map { ", with \($0) differences between intervals" } ?? ""
      return "\(Self.subject(count)); \(shown(known)) of \(shown(whole)) s are known\(detail)."
    case .longestStretch(let gaps, let seconds):
      return "\(Self.subject(gaps)); only the longest stretch without one, \(shown(seconds)) s, is used."
    case .unlikeIntervals:
      return
        "SD2 is made of SDNN, which all intervals go into, and of SDSD, which those beside gaps do not go into alike."
    case .segments(let covered, let available):
      return "The spectrum's segments cover \(shown(covered)) of \(shown(available)) s."
    case .slowHeart(let bound, let half):
      return "HF reaches to \(bound) Hz, and beats show nothing above half their mean rate, "
        + "\((half * 1000).rounded() / 1000) Hz."
    case .short(let seconds, let least, let source, let hasGaps):
      return hasGaps
        ? "The \(shown(seconds)) s that are known are shorter than \(shown(least)) s: \(source)."
        : "The window of \(shown(seconds)) s is shorter than \(shown(least)) s: \(source)."
    case .fewIntervals(let count, let least, let source):
      return "\(count) intervals are fewer than \(least): \(source)."
    case .noMoreIntervals(let count, let limit, let source):
      return "\(count) intervals are not more than \(limit): \(source)."
    case .artefacts(let share):
      return "\(shown(share * 100)) % of the recorded intervals were corrected or left out as artefacts."
    case .partlyKnown(let coverage):
      return "\(Int((coverage.share * 100).rounded())) % of the window from \(shown(coverage.window.lowerBound)) to "
        + "\(shown(coverage.window.upperBound)) s is known."
    case .unlikeWindows(let measure, let windows):
      let parts = windows.map { "\(shown($0.seconds)) s of \($0.name)" }.joined(separator: ", ")
      return "\(measure.title) depends on how long is measured, and the windows differ: \(parts)."
    }
  }

  /// The caveat as a sentence without numbers of its own window, so that several windows can share it.
  package var general: String {
    switch self {
    case .gaps: "There are gaps."
    case .longestStretch: "There are gaps; only the longest stretch without one is used."
    case .unlikeIntervals: sentence
    case .segments: "The spectrum's segments do not reach the end of the window."
    case .slowHeart(let bound, _): "HF reaches to \(bound) Hz, and beats show nothing above half their mean rate."
    case .short(_, let least, let source, _): "What is known is shorter than \(shown(least)) s: \(source)."
    case .fewIntervals(_, let least, let source): "The intervals are fewer than \(least): \(source)."
    case .noMoreIntervals(_, let limit, let source): "The intervals are not more than \(limit): \(source)."
    case .artefacts: "More than 5 % of the recorded intervals were corrected or left out as artefacts."
    case .partlyKnown: "Less than 90 % of the window is known."
    case .unlikeWindows(let measure, _): "\(measure.title) depends on how long is measured, and the windows differ."
    }
  }

  /// The beginning of a sentence about gaps.
  private static func subject(_ gaps: Int) -> String { gaps == 1 ? "There is a gap" : "There are \(gaps) gaps" }
}
