/// How a response to a stimulus is read off a heart rate.
package struct ResponseSettings: Hashable, Sendable {
  /// How long before the onset bins may begin, in seconds.
  package let before: Double

  /// How long after the onset bins may end, in seconds.
  package let after: Double

  /// How long a bin is, in seconds.
  package let binWidth: Double

  /// What the heart rate is compared with.
  package private(set) var baseline: Baseline

  /// The baseline's time from the onset, in seconds.
  package let baselineWindow: ClosedRange<Double>

  /// How many bins there are; what is left over at either end is shorter than a bin.
  package let binCount: Int

  // The first bin's number, counted from the onset.
  private let firstBin: Int

  /// What a heart rate is compared with.
  package enum Baseline: String, CaseIterable, Hashable, Sendable {
    /// Nothing: beats a minute.
    case none
    /// The mean before the onset is subtracted: beats a minute.
    case difference
    /// The difference as a share of the mean before the onset: percent.
    case percent
  }

  /// Bins of a second from 10 s before the onset to 30 s after it; the baseline is what lies before.
  package init(baseline: Baseline = .difference) {
    (before, after, binWidth, binCount, firstBin) = (10, 30, 1, 40, -10)
    self.baseline = baseline
    baselineWindow = -10...0
  }

  /// The most bins that a response has: five and a half hours of seconds.
  static let mostBins = 20_000

  /// The furthest from the onset that anything may lie, in seconds.
  private static let furthest = 1e6

  /// Settings; the baseline is all that lies before the onset unless a window is given.
  ///
  /// - Throws: a sentence where no bin, or too many, lie in the time, and where there is no time to compare with.
  package init(
    before: Double = 10, after: Double = 30, binWidth: Double = 1, baseline: Baseline = .difference,
    baselineWindow: ClosedRange<Double>? = nil
  ) throws(ResponseSettingsError) {
    let range = "\(plain(-before)):\(plain(after))"
    guard before.magnitude <= Self.furthest, after.magnitude <= Self.furthest else {
      throw ResponseSettingsError(
        "\(range) is further than a million seconds from the onset; seconds such as -10:30 are meant")
    }
    guard binWidth.isFinite, binWidth > 0 else {
      throw ResponseSettingsError("a bin of \(plain(binWidth)) s has no duration")
    }
    // Bins lie from the onset outwards, so that none straddles it.
    let first = (-before / binWidth - 1e-9).rounded(.up)
    let count = (after / binWidth + 1e-9).rounded(.down) - first
    guard count >= 1 else {
      throw ResponseSettingsError("no whole bin of \(plain(binWidth)) s, counted from the onset, lies in \(range)")
    }
    guard count <= Double(Self.mostBins) else {
      throw ResponseSettingsError(
        "\(range) has \(plain(count)) bins of \(plain(binWidth)) s, and \(Self.mostBins) are the most; seconds such as "
          + "-10:30 are meant, not milliseconds")
    }
    let window = baselineWindow ?? -before...max(0, -before)
    guard baseline == .none || window.lowerBound < window.upperBound else {
      throw ResponseSettingsError(
        "a response that begins with the onset has no baseline of its own; give --baseline FROM:TO or none")
    }
    guard window.lowerBound.magnitude <= Self.furthest, window.upperBound.magnitude <= Self.furthest else {
      throw ResponseSettingsError("the baseline is further than a million seconds from the onset")
    }
    (self.before, self.after, self.binWidth, self.baseline) = (before, after, binWidth, baseline)
    self.baselineWindow = window
    (firstBin, binCount) = (Int(first), Int(count))
  }

  /// The same bins, compared with nothing.
  package var withoutBaseline: ResponseSettings {
    var settings = self
    settings.baseline = .none
    return settings
  }

  /// The unit of responses, as UCUM writes it.
  package var unit: String { baseline == .percent ? "%" : "/min" }

  /// A bin's beginning and end from the onset, in seconds.
  package func bounds(_ bin: Int) -> ClosedRange<Double> {
    let place = Double(firstBin + bin)
    return place * binWidth...(place + 1) * binWidth
  }

  /// From the first bin's beginning to the last one's end, in seconds from the onset.
  package var reach: ClosedRange<Double> { bounds(0).lowerBound...bounds(binCount - 1).upperBound }

  /// What is to be said of the time asked for that is in no bin; `nil` where all of it is.
  package var remark: String? {
    let ends = [(-before, reach.lowerBound), (reach.upperBound, after)].filter { $1 - $0 > 1e-6 * binWidth }
    guard !ends.isEmpty else { return nil }
    let parts = ends.map { "\(plain($0)) to \(plain($1)) s" }.joined(separator: " and ")
    return
      "Whole bins of \(plain(binWidth)) s are counted from the onset; \(parts) \(ends.count > 1 ? "are" : "is") in none."
  }
}

/// Why a response cannot be read off so, in a sentence.
package struct ResponseSettingsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The sentence, without a full stop.
  package let description: String

  init(_ description: String) { self.description = description }
}

/// A number as it would be typed: `5` and not `5.0`.
private func plain(_ number: Double) -> String {
  number == number.rounded() && number.magnitude < 1e15 ? "\(Int(number))" : "\(number)"
}
