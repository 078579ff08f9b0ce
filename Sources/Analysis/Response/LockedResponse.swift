/// How a response to a stimulus is read off a heart rate.
public struct ResponseSettings: Hashable, Sendable {
  /// How long before the onset the bins begin, in seconds.
  public var before: Double

  /// How long after the onset the bins end, in seconds.
  public var after: Double

  /// How long a bin is, in seconds.
  public var binWidth: Double

  /// What the heart rate is compared with.
  public var baseline: Baseline

  /// The baseline's time from the onset, in seconds.
  public var baselineWindow: ClosedRange<Double>

  /// The least share of a bin, and of the baseline, that must be known for it to have a number.
  public var leastCoverage: Double

  /// How late the sensor's times are, in seconds, which is taken off them.
  ///
  /// Zero where the recording has done so already, as the station's own does.
  public var latency: Double

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
  /// - Precondition: a bin lasts, and there is at least one.
  public init(
    before: Double = 10, after: Double = 30, binWidth: Double = 1, baseline: Baseline = .difference,
    baselineWindow: ClosedRange<Double>? = nil, leastCoverage: Double = 0.5, latency: Double = 0
  ) {
    precondition(binWidth > 0 && before + after >= binWidth, "a response needs a bin with a duration")
    self.before = before
    self.after = after
    self.binWidth = binWidth
    self.baseline = baseline
    self.baselineWindow = baselineWindow ?? -before...max(0, -before)
    self.leastCoverage = leastCoverage
    self.latency = latency
  }

  /// How many bins there are; a remainder that is shorter than a bin is left out.
  public var binCount: Int { Int(((before + after) / binWidth + 1e-9).rounded(.down)) }

  /// A bin's beginning and end from the onset, in seconds.
  public func bounds(_ bin: Int) -> ClosedRange<Double> {
    let start = -before + Double(bin) * binWidth
    return start...start + binWidth
  }
}

/// The heart rate around one stimulus, bin by bin.
public struct LockedResponse: Hashable, Sendable {
  /// The settings.
  public let settings: ResponseSettings

  /// The measured onset, in seconds on the track's axis.
  public let onset: Double

  /// The mean heart rate of the baseline's time; `nil` where too little of it is known.
  public let baseline: Double?

  /// The bins, from the earliest on.
  public let bins: [Bin]

  /// Why no bin has a response; `nil` where one may.
  public let reason: String?

  /// A part of the time around the onset.
  public struct Bin: Hashable, Sendable {
    /// Its beginning and end from the onset, in seconds.
    public let bounds: ClosedRange<Double>
    /// The heart rate in it, weighted by time; `nil` where too little is known.
    public let heartRate: Double?
    /// The heart rate compared with the baseline; `nil` where either is not known.
    public let response: Double?
    /// The share of the bin that is known, from 0 to 1.
    public let coverage: Double
  }

  /// The response in a track to a stimulus.
  ///
  /// - Parameters:
  ///   - track: the heart rate.
  ///   - onset: when the stimulus began, in seconds on the same axis.
  ///   - settings: how it is read off.
  public init(in track: HeartRateTrack, onset: Double, _ settings: ResponseSettings = ResponseSettings()) {
    self.settings = settings
    self.onset = onset
    // The sensor's time for what happens at the onset is later by its latency.
    let zero = onset + settings.latency
    func rate(_ bounds: ClosedRange<Double>) -> (known: Double?, coverage: Double) {
      let (rate, coverage) = track.mean(from: zero + bounds.lowerBound, to: zero + bounds.upperBound)
      return (coverage >= settings.leastCoverage ? rate : nil, coverage)
    }
    let before = settings.baseline == .none ? nil : rate(settings.baselineWindow)
    let baseline = before?.known
    self.baseline = baseline
    bins = (0..<settings.binCount).map { index in
      let bounds = settings.bounds(index)
      let (known, coverage) = rate(bounds)
      let response: Double? =
        switch (settings.baseline, known, baseline) {
        case (.none, let rate, _): rate
        case (.difference, let rate?, let baseline?): rate - baseline
        case (.percent, let rate?, let baseline?): 100 * (rate - baseline) / baseline
        default: nil
        }
      return Bin(bounds: bounds, heartRate: known, response: response, coverage: coverage)
    }
    if let before, before.known == nil {
      let percent = (before.coverage * 100).rounded()
      reason = "The heart rate is known for \(percent) % of the baseline, which is too little to compare with."
    } else if bins.allSatisfy({ $0.heartRate == nil }) {
      reason = "The heart rate is not known around this onset."
    } else {
      reason = nil
    }
  }
}
