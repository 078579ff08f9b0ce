/// The measures of heart rate and its variability, and those of the samples of any other quantity.
package enum Measure: String, Codable, CaseIterable, Hashable, Sendable {
  /// The mean of the beats' own rates: every beat counts equally, whatever its interval.
  case meanHeartRate

  /// The mean rate over time: the number of beats divided by their duration.
  case timeWeightedHeartRate

  /// The rate of the longest interval.
  case minimumHeartRate

  /// The rate of the shortest interval.
  case maximumHeartRate

  /// The rate of the last interval.
  case lastHeartRate

  /// The mean interval.
  case meanNN

  /// The standard deviation of intervals.
  case sdnn

  /// The standard deviation of successive differences.
  case sdsd

  /// The root mean square of successive differences.
  case rmssd

  /// The number of successive differences above 50 ms.
  case nn50

  /// The share of successive differences above 50 ms.
  case pnn50

  /// The share of successive differences above 20 ms.
  case pnn20

  /// The width of the Poincaré plot.
  case sd1

  /// The length of the Poincaré plot.
  case sd2

  /// The irregularity of short patterns.
  case sampleEntropy

  /// The short-term exponent of detrended fluctuation analysis.
  case dfaAlpha1

  /// The long-term exponent of detrended fluctuation analysis.
  case dfaAlpha2

  /// The power at very low frequencies.
  case vlf

  /// The power at low frequencies.
  case lf

  /// The power at high frequencies.
  case hf

  /// The ratio of low-frequency to high-frequency power.
  case lfToHF

  /// The power at low frequencies in normalised units.
  case lfNormalised

  /// The power at high frequencies in normalised units.
  case hfNormalised

  /// The mean of the samples.
  case mean

  /// The standard deviation of the samples.
  case sd

  /// The smallest sample.
  case minimum

  /// The median of the samples.
  case median

  /// The largest sample.
  case maximum

  /// The slope of a straight line through the samples, per minute.
  case slope

  package static let ofHearts = allCases.filter { $0.domain != .samples }

  /// The measures of other quantities.
  package static let ofSamples = allCases.filter { $0.domain == .samples }

  /// The name used in papers.
  package var title: String {
    switch self {
    case .meanHeartRate: "mean HR"
    case .timeWeightedHeartRate: "mean HR, time-weighted"
    case .minimumHeartRate: "minimum HR"
    case .maximumHeartRate: "maximum HR"
    case .lastHeartRate: "last HR"
    case .meanNN: "mean NN"
    case .sdnn: "SDNN"
    case .sdsd: "SDSD"
    case .rmssd: "RMSSD"
    case .nn50: "NN50"
    case .pnn50: "pNN50"
    case .pnn20: "pNN20"
    case .sd1: "SD1"
    case .sd2: "SD2"
    case .sampleEntropy: "sample entropy"
    case .dfaAlpha1: "DFA α1"
    case .dfaAlpha2: "DFA α2"
    case .vlf: "VLF"
    case .lf: "LF"
    case .hf: "HF"
    case .lfToHF: "LF/HF"
    case .lfNormalised: "LF nu"
    case .hfNormalised: "HF nu"
    case .mean: "mean"
    case .sd: "SD"
    case .minimum: "minimum"
    case .median: "median"
    case .maximum: "maximum"
    case .slope: "slope"
    }
  }

  /// The domain, which determines what data the measure needs.
  package var domain: Domain {
    switch self {
    case .meanHeartRate, .timeWeightedHeartRate, .minimumHeartRate, .maximumHeartRate, .lastHeartRate: .heartRate
    case .meanNN, .sdnn, .sdsd, .rmssd, .nn50, .pnn50, .pnn20: .time
    case .sd1, .sd2, .sampleEntropy, .dfaAlpha1, .dfaAlpha2: .nonlinear
    case .vlf, .lf, .hf, .lfToHF, .lfNormalised, .hfNormalised: .frequency
    case .mean, .sd, .minimum, .median, .maximum, .slope: .samples
    }
  }

  /// The domains of measures.
  package enum Domain: String, Hashable, Sendable {
    /// Heart rates.
    case heartRate
    /// Statistics of intervals and their differences.
    case time
    /// Geometry, regularity and scaling.
    case nonlinear
    /// Powers of frequency bands.
    case frequency
    /// Statistics of the samples of another quantity than the heart's.
    case samples
  }
}

extension Measure {
  /// The number of decimals with which a number of this measure is shown to people.
  ///
  /// It is the same in a report, on a terminal and in a chart's description. Files for programs have all digits.
  ///
  /// - Parameters:
  ///   - number: the number, or the largest one of a column of numbers.
  ///   - unit: its unit, as UCUM writes it; a change in percent has a different unit than its measure.
  /// - Returns: one decimal for heart rates, milliseconds and percentages; none for counts and for powers in ms²,
  ///   except powers below 100, which have one; two for numbers without a unit, four below 0.1.
  package func digits(of number: Double?, unit: String) -> Int {
    let size = number?.magnitude ?? .infinity
    return switch unit {
    case "/min", "%", "ms": 1
    case "ms2": size < 100 ? 1 : 0
    default: self == .nn50 ? 0 : size > 0 && size < 0.1 ? 4 : 2
    }
  }
}
