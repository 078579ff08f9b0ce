/// What a response is a response of.
package struct ResponseQuantity: Hashable, Sendable {
  /// The quantity type's identifier.
  let identifier: String
  /// Its name inside a sentence: `skin conductance`.
  package let name: String
  /// Its unit, for heart rates as UCUM writes it.
  let unit: String
  /// Its unit on an axis.
  package let shownUnit: String

  package static let heartRate = ResponseQuantity(
    identifier: "heartRate", name: "heart rate", unit: "/min", shownUnit: "count/min")

  /// The name at the beginning of a title.
  package var title: String { name.prefix(1).uppercased() + name.dropFirst() }
}

/// The settings for computing a response to a stimulus from a heart rate, or from another quantity.
package struct ResponseSettings: Hashable, Sendable {
  /// The earliest beginning of a bin before the onset, in seconds.
  package let before: Double

  /// The latest end of a bin after the onset, in seconds.
  package let after: Double

  /// The width of a bin, in seconds.
  package let binWidth: Double

  /// The comparison with the baseline.
  package private(set) var baseline: Baseline

  /// The baseline's window relative to the onset, in seconds.
  package let baselineWindow: ClosedRange<Double>

  /// The number of bins; the remainder at either end is shorter than a bin.
  let binCount: Int

  package var quantity = ResponseQuantity.heartRate

  // The first bin's number relative to the onset.
  private let firstBin: Int

  /// The comparison of a heart rate with its baseline.
  package enum Baseline: String, CaseIterable, Hashable, Sendable {
    /// No comparison: beats per minute.
    case none
    /// The heart rate minus the mean before the onset: beats per minute.
    case difference
    /// The difference relative to the mean before the onset: percent.
    case percent
  }

  /// Creates settings with bins of a second from 10 s before the onset to 30 s after it; the baseline is the time
  /// before the onset.
  package init(baseline: Baseline = .difference) {
    (before, after, binWidth, binCount, firstBin) = (10, 30, 1, 40, -10)
    self.baseline = baseline
    baselineWindow = -10...0
  }

  /// The maximum number of bins: five and a half hours of seconds.
  static let maxBins = 20_000

  /// The largest distance from the onset, in seconds.
  private static let furthest = 1e6

  /// Creates settings; the baseline is the whole time before the onset unless a window is given.
  ///
  /// - Throws: a sentence if the time holds no bin or too many, or if there is no baseline for the comparison.
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
    // Bins are laid out from the onset in both directions, so that none spans it.
    let first = (-before / binWidth - 1e-9).rounded(.up)
    let count = (after / binWidth + 1e-9).rounded(.down) - first
    guard count >= 1 else {
      throw ResponseSettingsError("no whole bin of \(plain(binWidth)) s, counted from the onset, lies in \(range)")
    }
    guard count <= Double(Self.maxBins) else {
      throw ResponseSettingsError(
        "\(range) has \(plain(count)) bins of \(plain(binWidth)) s, and \(Self.maxBins) are the most; seconds such as "
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

  /// The same bins without a comparison.
  package var withoutBaseline: ResponseSettings {
    var settings = self
    settings.baseline = .none
    return settings
  }

  /// The unit of responses, as UCUM writes it.
  package var unit: String { baseline == .percent ? "%" : quantity.unit }

  /// A bin's beginning and end relative to the onset, in seconds.
  func bounds(_ bin: Int) -> ClosedRange<Double> {
    let place = Double(firstBin + bin)
    return place * binWidth...(place + 1) * binWidth
  }

  /// The range of all bins relative to the onset, in seconds.
  var reach: ClosedRange<Double> { bounds(0).lowerBound...bounds(binCount - 1).upperBound }

  /// The requested time outside of all bins; `nil` if there is none.
  package var uncovered: String? {
    let ends = [(-before, reach.lowerBound), (reach.upperBound, after)].filter { $1 - $0 > 1e-6 * binWidth }
    guard !ends.isEmpty else { return nil }
    let parts = ends.map { "\(plain($0)) to \(plain($1)) s" }.joined(separator: " and ")
    return
      "Whole bins of \(plain(binWidth)) s are counted from the onset; \(parts) \(ends.count > 1 ? "are" : "is") in none."
  }
}

/// Why settings are invalid, as a sentence.
package struct ResponseSettingsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The sentence, without a full stop.
  package let description: String

  init(_ description: String) { self.description = description }
}

/// A number as a person would type it: `5`, not `5.0`.
private func plain(_ number: Double) -> String {
  number == number.rounded() && number.magnitude < 1e15 ? "\(Int(number))" : "\(number)"
}
