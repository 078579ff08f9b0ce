/// What a reader should know before trusting a number: its kind, and the numbers that belong to it.
package enum Doubt: Hashable, Sendable {
  /// Beats or rates are lacking, `known` of `whole` seconds are there, and so many differences where only those count.
  case gaps(Int, known: Double, whole: Double, differences: Int?)

  /// Only the longest stretch without a gap is used, which lasts so many seconds.
  case longestStretch(gaps: Int, seconds: Double)

  /// SD2 is made of numbers of unlike intervals, since there are gaps.
  case unlikeIntervals

  /// The spectrum's segments reach only so far, in seconds.
  case segments(covered: Double, available: Double)

  /// The band HF reaches above half the mean heart rate; both in hertz.
  case slowHeart(bound: Double, half: Double)

  /// What is known lasts shorter, in seconds, than literature asks for.
  case short(seconds: Double, least: Double, source: String, hasGaps: Bool)

  /// There are fewer intervals than literature asks for.
  case fewIntervals(Int, least: Int, source: String)

  /// There are no more intervals than literature asks to exceed.
  case noMoreIntervals(Int, limit: Int, source: String)

  /// More of the recorded intervals were corrected or left out than is usual; the share is from 0 to 1.
  case artefacts(share: Double)

  /// Only a part of the window is known.
  case partlyKnown(Coverage)

  /// Windows of unlike length are compared by a measure that depends on it.
  case unlikeWindows(Measure, [NamedDuration])

  /// How long one of several windows is known for.
  package struct NamedDuration: Hashable, Sendable {
    /// What the window is called in a sentence: `rest`.
    package let name: String
    /// How long it is known for, in seconds.
    package let seconds: Double

    /// A window by its name.
    package init(_ name: String, seconds: Double) {
      self.name = name
      self.seconds = seconds
    }
  }

  /// The doubt in a sentence, with its numbers.
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

  /// The doubt in a sentence without the numbers of its own window, so that several windows may share it.
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

  /// That there are gaps, as a sentence begins.
  private static func subject(_ gaps: Int) -> String { gaps == 1 ? "There is a gap" : "There are \(gaps) gaps" }
}
