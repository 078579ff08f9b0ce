/// The heart rate around one stimulus, bin by bin.
public struct LockedResponse: Hashable, Sendable {
  /// The settings.
  public let settings: ResponseSettings

  /// The measured onset, in seconds on the track's axis.
  public let onset: Double

  /// How late the track's times are, in seconds, which was taken off them.
  public let latency: Double

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
  ///   - latency: how late the sensor's times are, in seconds; zero where the recording has taken it off already, as the
  ///     station's own does.
  public init(
    in track: HeartRateTrack, onset: Double, _ settings: ResponseSettings = ResponseSettings(), latency: Double = 0
  ) {
    settings.check()
    self.settings = settings
    self.onset = onset
    self.latency = latency
    // The sensor's time for what happens at the onset is later by its latency.
    let zero = onset + latency
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
        case (.difference, let rate?, let baseline?): BaselineChange.difference.change(of: rate, from: baseline)
        case (.percent, let rate?, let baseline?): BaselineChange.percent.change(of: rate, from: baseline)
        default: nil
        }
      return Bin(bounds: bounds, heartRate: known, response: response, coverage: coverage)
    }
    if let before, before.known == nil {
      let percent = Int((before.coverage * 100).rounded())
      reason = "The heart rate is known for \(percent) % of the baseline, which is too little to compare with."
    } else if bins.allSatisfy({ $0.heartRate == nil }) {
      reason = "The heart rate is not known around this onset."
    } else {
      reason = nil
    }
  }
}
