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
