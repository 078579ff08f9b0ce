import Basics

/// Distinguishes the samples of a waveform, such as an ECG or a pulse wave, from intervals between beats.
///
/// A densely sampled waveform changes little from sample to sample and continues its course: both its values and their
/// differences correlate with the previous ones. Intervals do that at most in slow paced breathing, with cycles of ten
/// to twenty beats. The thresholds are the station's.
package enum Waveform: Sendable {
  /// The noun for a waveform in messages.
  package static let noun = "a signal such as an ECG or a pulse wave"

  /// What to do with the samples of a waveform.
  package static let remedy =
    "find its beats with another program, such as NeuroKit2, and give a file of intervals in milliseconds or a column "
    + "“beat_s” with the times of beats"

  // The minimum number of values for a decision.
  private static let least = 60

  // The correlations above which numbers are rejected as a waveform, and above which they get a caveat.
  private static let certain = (values: 0.97, changes: 0.75)
  private static let doubtful = (values: 0.9, changes: 0.7)

  /// Why numbers are rejected as a waveform, and what to do; `nil` if they may be intervals.
  package static func problem(_ numbers: [Double]) -> String? {
    guard let found = correlations(numbers.filter(\.isFinite)), found.values >= certain.values,
      found.changes >= certain.changes
    else { return nil }
    return "its numbers change as smoothly as the samples of \(noun): each resembles the one before "
      + "(r = \(found.values.fixed(3))), and so do their differences (r = \(found.changes.fixed(2))); \(remedy)"
  }

  /// Why numbers are rejected if fewer than half are plausible intervals, and what to do; `nil` if more are.
  package static func problem(plausible: Int, of count: Int) -> String? {
    plausible * 2 < count
      ? "of its \(count) numbers only \(plausible) are plausible intervals; it looks like the samples of \(noun); \(remedy)"
      : nil
  }

  /// Why a file with different numbers below zero is rejected, and what to do.
  ///
  /// A single such number may be a missing-value code.
  package static func problem(
    belowZero first: (number: Double, line: Int), _ second: (number: Double, line: Int)
  ) -> String {
    "\(first.number.shown) in line \(first.line) and \(second.number.shown) in line \(second.line) are below zero, as the "
      + "samples of \(noun) are and neither intervals nor heart rates; \(remedy)"
  }

  /// A caveat on intervals that change unusually smoothly; `nil` if there is none.
  package static func caveat(_ numbers: [Double]) -> RecordingCaveat? {
    guard let found = correlations(numbers.filter(\.isFinite)), found.values >= doubtful.values,
      found.changes >= doubtful.changes
    else { return nil }
    return .smooth(r: found.values, differences_r: found.changes)
  }

  /// The correlations of numbers with their predecessors, and of their differences; `nil` if undefined.
  private static func correlations(_ numbers: [Double]) -> (values: Double, changes: Double)? {
    guard numbers.count >= least, let values = successive(numbers),
      let changes = successive(zip(numbers, numbers.dropFirst()).map { $1 - $0 })
    else { return nil }
    return (values, changes)
  }

  /// Pearson's correlation of numbers with their predecessors; `nil` if they do not vary.
  private static func successive(_ numbers: [Double]) -> Double? {
    let count = Double(numbers.count - 1)
    let before = numbers.dropLast().reduce(0, +) / count
    let after = numbers.dropFirst().reduce(0, +) / count
    var (both, first, second) = (0.0, 0.0, 0.0)
    for (one, next) in zip(numbers, numbers.dropFirst()) {
      both += (one - before) * (next - after)
      first += (one - before) * (one - before)
      second += (next - after) * (next - after)
    }
    let scale = (first * second).squareRoot()
    return scale > 0 && scale.isFinite ? both / scale : nil
  }
}
