/// The heart rate around one stimulus, bin by bin.
package struct LockedResponse: Hashable, Sendable {
  /// The settings.
  package let settings: ResponseSettings

  /// The onset, in seconds on the track's axis.
  package let onset: Double

  /// The mean heart rate of the baseline's time; `nil` where too little of it is known, or nothing is compared.
  package let baseline: Double?

  /// The baseline's window on the track's axis and how much of it is known; `nil` where nothing is compared.
  package let baselineCoverage: Coverage?

  /// The bins, from the earliest on.
  package let bins: [Bin]

  /// Why no bin has a response; `nil` where one may.
  package let reason: String?

  /// A part of the time around the onset.
  package struct Bin: Hashable, Sendable {
    /// Its beginning and end from the onset, in seconds.
    package let bounds: ClosedRange<Double>
    /// The heart rate in it, weighted by time; `nil` where too little is known.
    package let heartRate: Double?
    /// The heart rate compared with the baseline; `nil` where either is not known.
    package let response: Double?
    /// The share of the bin that is known, from 0 to 1.
    package let coverage: Double
  }

  /// The response in a track to what began at an onset.
  ///
  /// A bin, or a baseline, of which less than ``Coverage/least`` is known has no number.
  ///
  /// - Parameters:
  ///   - track: the heart rate; a sensor's latency is off its times already.
  ///   - onset: when the event began, in seconds on the same axis.
  ///   - settings: how it is read off.
  package init(in track: HeartRateTrack, onset: Double, _ settings: ResponseSettings = ResponseSettings()) {
    self.settings = settings
    self.onset = onset
    func rate(_ bounds: ClosedRange<Double>) -> (known: Double?, coverage: Coverage) {
      let window = onset + bounds.lowerBound...onset + bounds.upperBound
      let (rate, share) = track.mean(from: window.lowerBound, to: window.upperBound)
      let coverage = Coverage(window: window, share: share)
      return (coverage.suffices ? rate : nil, coverage)
    }
    let before = settings.baseline == .none ? nil : rate(settings.baselineWindow)
    let baseline = before?.known
    self.baseline = baseline
    baselineCoverage = before?.coverage
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
      return Bin(bounds: bounds, heartRate: known, response: response, coverage: coverage.share)
    }
    reason = Self.reason(baseline: before, bins)
  }

  private static func reason(baseline: (known: Double?, coverage: Coverage)?, _ bins: [Bin]) -> String? {
    if let baseline, baseline.known == nil {
      let percent = Int((baseline.coverage.share * 100).rounded())
      return "The heart rate is known for \(percent) % of the baseline, which is too little to compare with."
    }
    return bins.allSatisfy { $0.heartRate == nil } ? "The heart rate is not known around this onset." : nil
  }

  /// The same heart rates, compared with nothing.
  package var withoutBaseline: LockedResponse { LockedResponse(uncompared: self) }

  private init(uncompared response: LockedResponse) {
    settings = response.settings.withoutBaseline
    onset = response.onset
    (baseline, baselineCoverage) = (nil, nil)
    bins = response.bins.map {
      Bin(bounds: $0.bounds, heartRate: $0.heartRate, response: $0.heartRate, coverage: $0.coverage)
    }
    reason = Self.reason(baseline: nil, bins)
  }

  /// What a reader should know before trusting it: that the baseline is only partly known.
  package var doubts: [Doubt] {
    baselineCoverage.map { $0.suffices && $0.share < Coverage.ample ? [.partlyKnown($0)] : [] } ?? []
  }
}
