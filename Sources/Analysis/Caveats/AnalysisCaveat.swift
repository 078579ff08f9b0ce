import Basics

/// A machine-readable remark on a computed number or on its window, with its numbers.
///
/// A new one is a case here and its words in `AnalysisCaveat+Wording.swift`.
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

    /// Creates a named duration.
    package init(_ name: String, seconds: Double) {
      self.name = name
      self.seconds = seconds
    }
  }
}
