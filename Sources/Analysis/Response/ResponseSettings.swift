/// How a response to a stimulus is read off a heart rate.
public struct ResponseSettings: Hashable, Sendable {
  /// How long before the onset bins may begin, in seconds.
  public var before: Double

  /// How long after the onset bins may end, in seconds.
  public var after: Double

  /// How long a bin is, in seconds.
  public var binWidth: Double

  /// What the heart rate is compared with.
  public var baseline: Baseline

  /// The baseline's time from the onset, in seconds.
  public var baselineWindow: ClosedRange<Double>

  /// The least share of a bin, and of the baseline, that must be known for it to have a number.
  public var leastCoverage: Double

  /// What a heart rate is compared with.
  public enum Baseline: String, CaseIterable, Hashable, Sendable {
    /// Nothing: beats a minute.
    case none
    /// The mean before the onset is subtracted: beats a minute.
    case difference
    /// The difference as a share of the mean before the onset: percent.
    case percent
  }

  /// Settings; the baseline is all that lies before the onset unless a window is given.
  ///
  /// - Precondition: a bin lasts, and there is at least one; and so does the baseline, unless there is none.
  public init(
    before: Double = 10, after: Double = 30, binWidth: Double = 1, baseline: Baseline = .difference,
    baselineWindow: ClosedRange<Double>? = nil, leastCoverage: Double = 0.5
  ) {
    self.before = before
    self.after = after
    self.binWidth = binWidth
    self.baseline = baseline
    self.baselineWindow = baselineWindow ?? -before...max(0, -before)
    self.leastCoverage = leastCoverage
    check()
  }

  /// Stops where the settings leave nothing to measure, or to compare with.
  func check() {
    precondition(binWidth > 0 && binCount >= 1, "a response needs a bin with a duration")
    precondition(
      baseline == .none || baselineWindow.lowerBound < baselineWindow.upperBound,
      "a baseline needs a time with a duration: `before` above zero, a `baselineWindow`, or no baseline")
  }

  /// The unit of responses, as UCUM writes it.
  public var unit: String { baseline == .percent ? "%" : "/min" }

  // Bins lie from the onset outwards, so that none straddles it; the first one's number, and that after the last.
  private var firstBin: Int { Int((-before / binWidth - 1e-9).rounded(.up)) }
  private var endBin: Int { Int((after / binWidth + 1e-9).rounded(.down)) }

  /// How many bins there are; what is left over at either end is shorter than a bin.
  public var binCount: Int { endBin - firstBin }

  /// A bin's beginning and end from the onset, in seconds.
  public func bounds(_ bin: Int) -> ClosedRange<Double> {
    let place = Double(firstBin + bin)
    return place * binWidth...(place + 1) * binWidth
  }
}
