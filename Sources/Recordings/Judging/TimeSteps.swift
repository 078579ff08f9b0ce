import Basics

/// Checks whether the times of a table are in their supposed unit.
package enum TimeSteps: Sendable {
  /// What times look like, and what to do.
  package struct Problem: Error, Hashable, Sendable {
    /// The finding: `its times are 1000 apart, which looks like milliseconds`.
    package let finding: String

    /// The unit that the times seem to be in, if any.
    package let unit: TimeUnit?

    /// Whether they may be the numbers of samples at which an ECG has its beats.
    package var mayBeSamples = false
  }

  /// Whether numbers may be times of beats, instead of their numbers, marks of 0 and 1, or amplitudes, which do not rise.
  ///
  /// Numbers of samples and milliseconds are far apart.
  package static func mayBeOfBeats(_ numbers: [Double]) -> Bool {
    let steps = zip(numbers, numbers.dropFirst()).map { $1 - $0 }
    guard !steps.isEmpty else { return true }
    let sizes = steps.map(\.magnitude).sorted()
    let areSmall = numbers.allSatisfy { $0 == $0.rounded() } && sizes[sizes.count / 2] < 5
    return !areSmall && steps.count { $0 < 0 } * 3 <= steps.count
  }

  /// Checks the times of beats; `nil` if they are plausible.
  ///
  /// - Parameters:
  ///   - times: the times in seconds, ascending.
  ///   - unit: the unit from which they were converted.
  /// - Returns: the problem.
  package static func problem(ofBeats times: [Double], in unit: TimeUnit) -> Problem? {
    guard let step = step(of: times), !(0.25...2.5).contains(step) else { return nil }
    let apart = "its beats are \((step * unit.perSecond).shown) apart in the middle"
    // The middle of whole numbers does not tell milliseconds from samples.
    let areWhole = times.allSatisfy { ($0 * unit.perSecond).rounded() == $0 * unit.perSecond }
    if unit == .seconds, (250...2500).contains(step) {
      return Problem(
        finding: "\(apart), which looks like milliseconds" + (areWhole ? " or numbers of samples" : ""),
        unit: .milliseconds, mayBeSamples: areWhole)
    }
    if unit == .milliseconds, (0.00025...0.0025).contains(step) {
      return Problem(finding: "\(apart), which looks like seconds", unit: .seconds)
    }
    return Problem(finding: "\(apart), and no heart beats like that", unit: nil, mayBeSamples: areWhole)
  }

  /// Checks the times of rows; `nil` if they may be right.
  ///
  /// - Parameters:
  ///   - times: the times in seconds, ascending.
  ///   - unit: the unit from which they were converted.
  ///   - isSaid: whether the unit was given.
  /// - Returns: the problem.
  package static func problem(ofRows times: [Double], in unit: TimeUnit, isSaid: Bool) -> Problem? {
    guard let step = step(of: times) else { return nil }
    if step >= 100, !isSaid {
      let unit: TimeUnit = step >= 1e8 ? .nanoseconds : step >= 1e5 ? .microseconds : .milliseconds
      return Problem(
        finding: "its times are \(step.shown) apart, which looks like \(unit.name)", unit: unit)
    }
    // Spreadsheets store dates as days since 1900.
    if !isSaid, step <= 0.002, times.allSatisfy({ (20_000...80_000).contains($0) }) {
      return Problem(
        finding: "its times, such as \((times.first ?? 0).fixed(5)), look like a spreadsheet's days since 1900; format "
          + "their column as date and time before saving it",
        unit: nil)
    }
    guard step < 0.01, unit == .milliseconds else { return nil }
    return Problem(
      finding: "its times are \((step * 1000).shown) ms apart, which looks like seconds", unit: .seconds)
  }

  // The median step.
  private static func step(of times: [Double]) -> Double? {
    let steps = zip(times, times.dropFirst()).map { $1 - $0 }.filter { $0 > 0 }.sorted()
    return steps.isEmpty ? nil : steps[steps.count / 2]
  }
}

/// A unit of time in files.
package enum TimeUnit: String, CaseIterable, Hashable, Sendable {
  case seconds = "s"
  case milliseconds = "ms"
  /// Microseconds, for times only.
  case microseconds = "us"
  /// Nanoseconds, for times only.
  case nanoseconds = "ns"

  /// The units that are valid for intervals.
  package static let ofIntervals: [TimeUnit] = [.seconds, .milliseconds]

  /// The name for sentences.
  package var name: String {
    switch self {
    case .seconds: "seconds"
    case .milliseconds: "milliseconds"
    case .microseconds: "microseconds"
    case .nanoseconds: "nanoseconds"
    }
  }

  /// How many of the unit make a second.
  package var perSecond: Double {
    switch self {
    case .seconds: 1
    case .milliseconds: 1000
    case .microseconds: 1e6
    case .nanoseconds: 1e9
    }
  }
}

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

/// The ranges of inter-beat intervals, in milliseconds.
package enum HeartInterval: Sendable {
  /// Intervals at 24 to 240 beats per minute, by whose median the unit and the kind of a file's numbers are recognised.
  ///
  /// Which single values are plausible is for the quantity type to say.
  package static let plausible = 250.0...2500
  /// Intervals at 6 to 3000 beats per minute, the range of any animal's heart.
  package static let possible = 20.0...10_000
}
