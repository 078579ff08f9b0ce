import Basics

/// Tells the samples of a signal, such as an ECG or a pulse wave, from intervals between beats.
///
/// A signal that is sampled densely moves little from sample to sample, and goes on as it went: not only its numbers but
/// the differences between them resemble the ones before. Intervals do that in slow paced breathing at most, with
/// cycles of ten to twenty beats. The thresholds are the station's.
package enum Waveform: Sendable {
  /// What it is called in messages.
  package static let noun = "a signal such as an ECG or a pulse wave"

  /// What to do with the samples of one.
  package static let remedy =
    "find its beats with another program, such as NeuroKit2, and give a file of intervals in milliseconds or a column "
    + "“beat_s” with the times of beats"

  // Of fewer numbers nothing can be told.
  private static let least = 60

  // The correlations from which on numbers are taken for a signal's, and from which on they are doubted.
  private static let certain = (values: 0.97, changes: 0.75)
  private static let doubtful = (values: 0.9, changes: 0.7)

  /// That numbers are a signal's, and what to do; `nil` where they may be intervals.
  package static func complaint(_ numbers: [Double]) -> String? {
    guard let found = correlations(numbers.filter(\.isFinite)), found.values >= certain.values,
      found.changes >= certain.changes
    else { return nil }
    return "its numbers change as smoothly as the samples of \(noun): each resembles the one before "
      + "(r = \(found.values.fixed(3))), and so do their differences (r = \(found.changes.fixed(2))); \(remedy)"
  }

  /// That fewer than half of the numbers are a heart's intervals, and what to do; `nil` where more are.
  package static func complaint(plausible: Int, of count: Int) -> String? {
    plausible * 2 < count
      ? "of its \(count) numbers only \(plausible) are plausible intervals; it looks like the samples of \(noun); \(remedy)"
      : nil
  }

  /// That a file has different numbers below zero, and what to do.
  ///
  /// Where there is only one such number, it may be a mark of what is missing.
  package static func complaint(
    belowZero first: (number: Double, line: Int), _ second: (number: Double, line: Int)
  ) -> String {
    "\(first.number.shown) in line \(first.line) and \(second.number.shown) in line \(second.line) are below zero, as the "
      + "samples of \(noun) are and neither intervals nor heart rates; \(remedy)"
  }

  /// A sentence of doubt about intervals that change rather smoothly; `nil` where there is none.
  package static func doubt(_ numbers: [Double]) -> String? {
    guard let found = correlations(numbers.filter(\.isFinite)), found.values >= doubtful.values,
      found.changes >= doubtful.changes
    else { return nil }
    return "The intervals change more smoothly than those of most hearts (each resembles the one before with "
      + "r = \(found.values.fixed(3)), their differences with r = \(found.changes.fixed(2))): slow paced breathing does that, and so "
      + "does a file with the samples of \(noun)."
  }

  /// How far numbers resemble those before them, and how far their changes do; `nil` where that cannot be told.
  private static func correlations(_ numbers: [Double]) -> (values: Double, changes: Double)? {
    guard numbers.count >= least, let values = successive(numbers),
      let changes = successive(zip(numbers, numbers.dropFirst()).map { $1 - $0 })
    else { return nil }
    return (values, changes)
  }

  /// Pearson's correlation of numbers with those before them; `nil` where they do not vary.
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
