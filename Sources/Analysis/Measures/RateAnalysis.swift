/// Measures of a sensor's own heart rates, for recordings without intervals between beats.
///
/// Rates that a sensor has smoothed say nothing about the variability of beats, so that such measures have a reason
/// instead of a number.
public struct RateAnalysis: Sendable {
  private let rates: [Double]
  private let times: [Double]
  private let track: HeartRateTrack
  private let window: ClosedRange<Double>
  private let preset: AnalysisPreset

  /// The analysis of rates within a window.
  ///
  /// - Parameters:
  ///   - rates: beats a minute.
  ///   - times: when they were true, in seconds, ascending.
  ///   - window: the time that is measured, in seconds on the same axis; the rate at its very beginning belongs to it.
  ///   - preset: the name and the units of measures that are missing.
  /// - Precondition: there are as many times as rates.
  public init(rates: [Double], times: [Double], in window: ClosedRange<Double>, preset: AnalysisPreset = .station) {
    precondition(rates.count == times.count, "every rate needs the time at which it was true")
    let inside = times.indices.filter { window.contains(times[$0]) }
    self.rates = inside.map { rates[$0] }
    self.times = inside.map { times[$0] }
    self.window = window
    self.preset = preset
    track = HeartRateTrack(rates: rates, times: times)
  }

  /// Measures, in the order asked for.
  public func measurements(_ measures: [Measure] = Measure.allCases) -> [Measurement] {
    let units = HeartAnalysis(IntervalSeries([]), preset: preset)
    return measures.map { measure in
      let known = value(measure)
      let outcome: Measurement.Outcome
      if rates.isEmpty {
        outcome = .missing("There is no heart rate in this window.")
      } else if let number = known?.number, number.isFinite {
        outcome = .value(number)
      } else {
        outcome = .missing(
          "The sensor delivered heart rates without the intervals between beats, and those alone tell no variability.")
      }
      return Measurement(
        measure: measure, outcome: outcome, unit: units.unit(measure),
        definition: known?.definition ?? units.definition(measure), parameters: [], preset: preset.name,
        window: times.first.flatMap { first in times.last.map { first...$0 } } ?? window.lowerBound...window.lowerBound,
        beatsUsed: measure == .lastHeartRate ? min(1, rates.count) : rates.count, artefactShare: 0, warnings: [])
    }
  }

  private func value(_ measure: Measure) -> (number: Double?, definition: String)? {
    switch measure {
    case .meanHeartRate: (mean(rates), "mean of the sensor's heart rates")
    case .timeWeightedHeartRate:
      (
        track.mean(from: window.lowerBound, to: window.upperBound).rate,
        "mean of the sensor's heart rates, each weighted with the time since the one before it, 2 s at most"
      )
    case .minimumHeartRate: (rates.min(), "lowest of the sensor's heart rates")
    case .maximumHeartRate: (rates.max(), "highest of the sensor's heart rates")
    case .lastHeartRate: (rates.last, "last of the sensor's heart rates")
    default: nil
    }
  }
}
