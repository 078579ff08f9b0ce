import Basics

/// Numbers that rise from line to line, as the times of beats do.
package struct RisingNumbers: Hashable, Sendable {
  private let unit: TimeUnit?
  private let areWhole: Bool
  private let step: Double

  /// Recognises rising numbers; `nil` if they do not rise, are too few, or are not times of beats in any unit.
  ///
  /// - Parameter numbers: the numbers of a text or a column; NaN for a missing one.
  package init?(_ numbers: [Double]) {
    let known = numbers.filter(\.isFinite)
    // A few intervals may rise by chance.
    let least = known.allSatisfy(HeartInterval.plausible.contains) ? 10 : 4
    guard known.count >= least, zip(known, known.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
    let steps = zip(known, known.dropFirst()).map { $1 - $0 }.sorted()
    step = steps[steps.count / 2]
    areWhole = known.allSatisfy { $0 == $0.rounded() }
    unit =
      HeartInterval.plausible.contains(step)
      ? .milliseconds : HeartInterval.plausible.contains(step * 1000) ? .seconds : nil
    // Beats at 24 to 240 per minute, sampled at 20 to 20,000 Hz.
    guard unit != nil || areWhole && (5.0...50_000).contains(step) && known[known.count - 1] > 10 * step else {
      return nil
    }
  }

  /// What to do with the numbers of samples where no option gives their rate.
  package static let ofSamples =
    "divide numbers of samples by the sampling rate and name their column “beat_s” in a first row"

  /// What the numbers look like, and what to do.
  ///
  /// - Parameter hasOption: whether there is an option for the sampling rate.
  /// - Returns: the finding and the advice, as a clause.
  package func problem(hasOption: Bool) -> String {
    let samples = hasOption ? "give the rate of numbers of samples with --sampling-rate HZ" : Self.ofSamples
    guard let unit else {
      return
        "its numbers rise from line to line by \(step.shown) in the middle, as the numbers of samples at which an ECG has "
        + "its beats do; \(samples)"
    }
    let times =
      "its numbers rise from line to line as the times of beats in \(unit.name) do; name their column "
      + "“beat_\(unit.rawValue)” in a first row"
    return unit == .milliseconds && areWhole ? "\(times), or \(samples)" : times
  }
}

extension Double {
  /// The number with at most three decimals, for messages.
  package var shown: String {
    let text = fixed(3)
    guard text.contains("."), !text.contains("e") else { return text }
    let short = text.reversed().drop { $0 == "0" }.drop { $0 == "." }
    return String(short.reversed())
  }
}
