/// The heart rate around one stimulus, bin by bin.
package struct LockedResponse: Hashable, Sendable {
  package let settings: ResponseSettings

  /// The onset in seconds, on the track's axis.
  package let onset: Double

  /// The mean heart rate in the baseline's window; `nil` if its coverage is too small, or without a comparison.
  package let baseline: Double?

  /// The baseline's window on the track's axis and its coverage; `nil` without a comparison.
  let baselineCoverage: Coverage?

  /// The bins in the order of time.
  package let bins: [Bin]

  /// Why no bin has a response; `nil` if bins may have one.
  package let reason: MissingNumber?

  /// A bin of the time around the onset.
  package struct Bin: Hashable, Sendable {
    /// Its beginning and end relative to the onset, in seconds.
    package let bounds: ClosedRange<Double>
    /// Its time-weighted heart rate, or value of another quantity; `nil` if the coverage is too small.
    package let value: Double?
    /// Its heart rate relative to the baseline; `nil` if either is unknown.
    package let response: Double?
    /// The covered fraction of the bin, from 0 to 1.
    package let coverage: Double
  }

  /// Computes the response to an event from its onset.
  ///
  /// A bin, or a baseline, with a coverage below ``Coverage/minimum`` has no number.
  ///
  /// - Parameters:
  ///   - track: the heart rate; a sensor's latency is already subtracted from its times.
  ///   - onset: the onset of the event, in seconds on the same axis.
  ///   - settings: the bins and the baseline.
  init(in track: HeartRateTrack, onset: Double, _ settings: ResponseSettings = ResponseSettings()) {
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
      return Bin(bounds: bounds, value: known, response: response, coverage: coverage.share)
    }
    reason = Self.reason(baseline: before, bins)
  }

  private static func reason(baseline: (known: Double?, coverage: Coverage)?, _ bins: [Bin]) -> MissingNumber? {
    if let baseline, baseline.known == nil {
      return .baselinePartlyKnown(share: baseline.coverage.share)
    }
    return bins.allSatisfy { $0.value == nil } ? .noRatesAroundOnset : nil
  }

  /// The same heart rates without a comparison.
  package var withoutBaseline: LockedResponse { LockedResponse(uncompared: self) }

  private init(uncompared response: LockedResponse) {
    settings = response.settings.withoutBaseline
    onset = response.onset
    (baseline, baselineCoverage) = (nil, nil)
    bins = response.bins.map {
      Bin(bounds: $0.bounds, value: $0.value, response: $0.value, coverage: $0.coverage)
    }
    reason = Self.reason(baseline: nil, bins)
  }

  /// The caveats: whether the baseline is only partly covered.
  package var caveats: [AnalysisCaveat] {
    guard let known = baselineCoverage, known.suffices, known.share < Coverage.ample else { return [] }
    return [.partlyKnown(share: known.share, from_s: known.window.lowerBound, to_s: known.window.upperBound)]
  }
}
