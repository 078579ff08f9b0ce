/// A named set of the choices that the definitions of measures leave open.
///
/// Programs differ in these choices, and therefore in their numbers for the same beats: see the article "Measures".
package struct AnalysisPreset: Hashable, Sendable {
  /// The name reported with every number.
  package var name: String

  /// The variant of the standard deviation of successive differences.
  var differenceDeviation: DifferenceDeviation

  /// The divisor of NN50 and NN20 for their shares.
  var shareDivisor: ShareDivisor

  /// The method for the axes of the Poincaré plot.
  var poincare: Poincare

  var sampleEntropy: SampleEntropySettings

  /// The settings of detrended fluctuation analysis.
  var fluctuation: FluctuationSettings

  /// The settings of the spectrum and its bands.
  package var spectrum: SpectrumSettings

  /// The input and denominator of SDSD.
  enum DifferenceDeviation: Hashable, Sendable {
    /// The differences, with n - 1.
    case sample
    /// The differences, with n.
    case population
    /// The differences' magnitudes, with n - 1: what pyHRV computes, although no definition says so.
    case magnitudes
  }

  /// The divisor of a count of large differences.
  enum ShareDivisor: Hashable, Sendable {
    /// The number of differences.
    case differences
    /// The number of differences plus one.
    case differencesAndOne
  }

  /// The method for SD1 and SD2.
  enum Poincare: Hashable, Sendable {
    /// From SDSD and SDNN, both with n - 1 (Brennan and others, IEEE Trans. Biomed. Eng. 48:1342, 2001).
    case identities
    /// As standard deviations across and along the diagonal of the plot, with this number subtracted in the
    /// denominator.
    case rotation(lostDegrees: Int)
  }
}

extension AnalysisPreset {
  /// The station's own choices: the Task Force's definitions, a natural cubic spline at 4 Hz, Welch's method with a
  /// Hann window and segments of 1024.
  package static let station = AnalysisPreset(
    name: "station",
    differenceDeviation: .sample,
    shareDivisor: .differences,
    poincare: .identities,
    sampleEntropy: SampleEntropySettings(),
    fluctuation: FluctuationSettings(short: .range(4...16), long: .range(16...64)),
    spectrum: SpectrumSettings(
      method: .welch(WelchSettings(interpolation: .naturalCubic, rate: 4, segment: .samples(1024)))))

  /// As ``station``, with the Lomb–Scargle periodogram instead of Welch's.
  package static let lombScargle = {
    var preset = station
    preset.name = "lombScargle"
    preset.spectrum.method = .lombScargle(LombScargleSettings())
    return preset
  }()

  /// The defaults of NeuroKit2 0.2.13 (`hrv_time`, `hrv_frequency`, `hrv_nonlinear`).
  ///
  /// Its powers are divided by the largest density and have no unit; pNNx is divided by the number of intervals.
  static let neuroKit2 = AnalysisPreset(
    name: "neuroKit2",
    differenceDeviation: .sample,
    shareDivisor: .differencesAndOne,
    poincare: .rotation(lostDegrees: 1),
    sampleEntropy: SampleEntropySettings(),
    fluctuation: FluctuationSettings(
      short: .range(4...11), long: .toTenth(from: 12), overlaps: true, leastMeanSquare: 1e-8),
    spectrum: {
      var welch = WelchSettings(interpolation: .quadratic, rate: 100, segment: .half)
      welch.transform = .twiceSegment
      welch.removesOverallMean = true
      welch.removesSegmentMean = false
      welch.grid = .pastLastBeat
      var spectrum = SpectrumSettings(method: .welch(welch))
      spectrum.rule = .trapezoids
      spectrum.omitsSlowest = true
      spectrum.isDividedByMaximum = true
      spectrum.normalisation = .total
      return spectrum
    }())

  /// The defaults of pyHRV 0.4.1, except for its fluctuation exponents.
  ///
  /// pyHRV fits those by RANSAC with random numbers, so they differ from run to run; here the line is a least-squares
  /// fit.
  static let pyHRV = AnalysisPreset(
    name: "pyHRV",
    differenceDeviation: .magnitudes,
    shareDivisor: .differences,
    poincare: .rotation(lostDegrees: 0),
    sampleEntropy: SampleEntropySettings(lostDegrees: -1, isClosed: false),
    fluctuation: FluctuationSettings(short: .range(4...16), long: .range(17...64)),
    spectrum: {
      var welch = WelchSettings(
        interpolation: .notAKnotCubic, rate: 4,
        segment: .samplesByDuration(shorter: 4096, longer: 300, limit: 300))
      welch.transform = .points(4096)
      welch.window = .hamming
      welch.removesOverallMean = true
      var spectrum = SpectrumSettings(method: .welch(welch))
      spectrum.vlf = 0...0.04
      spectrum.rule = .sumWithBothBounds
      return spectrum
    }())

  /// The defaults of hrv-analysis 1.0.5; it has no fluctuation exponents, so their settings are the station's.
  static let hrvAnalysis = AnalysisPreset(
    name: "hrvAnalysis",
    differenceDeviation: .population,
    shareDivisor: .differences,
    poincare: .identities,
    // nolds' own tolerance, scaled to about 0.2 standard deviations: 0.1164 (0.5627 ln 2 + 1.3334).
    sampleEntropy: SampleEntropySettings(
      toleranceFactor: 0.1164 * (0.5627 * logarithm(2) + 1.3334), isClosed: false),
    fluctuation: station.fluctuation,
    spectrum: {
      var welch = WelchSettings(interpolation: .linear, rate: 4, segment: .samples(256))
      welch.transform = .points(4096)
      welch.removesOverallMean = true
      var spectrum = SpectrumSettings(method: .welch(welch))
      spectrum.vlf = 0.003...0.04
      spectrum.rule = .trapezoids
      return spectrum
    }())

  /// All presets.
  package static let named = [station, lombScargle, neuroKit2, pyHRV, hrvAnalysis]
}
