/// The choices that definitions of measures leave open, under a name.
///
/// Programs differ in them, and so do their numbers for the same beats: see the article "Measures".
package struct AnalysisPreset: Hashable, Sendable {
  /// The name that stands beside every number.
  package var name: String

  /// The standard deviation of successive differences.
  package var differenceDeviation: DifferenceDeviation

  /// What NN50 and NN20 are divided by for their shares.
  package var shareDivisor: ShareDivisor

  /// The axes of the Poincaré plot.
  package var poincare: Poincare

  /// Sample entropy.
  package var sampleEntropy: SampleEntropySettings

  /// Detrended fluctuation analysis.
  package var fluctuation: FluctuationSettings

  /// The spectrum and its bands.
  package var spectrum: SpectrumSettings

  /// What SDSD is the standard deviation of, and with which denominator.
  package enum DifferenceDeviation: Hashable, Sendable {
    /// Of the differences, n - 1.
    case sample
    /// Of the differences, n.
    case population
    /// Of the differences' magnitudes, n - 1: what pyHRV computes, though no definition says so.
    case magnitudes
  }

  /// What a count of large differences is divided by.
  package enum ShareDivisor: Hashable, Sendable {
    /// The number of differences.
    case differences
    /// The number of differences and one.
    case differencesAndOne
  }

  /// How SD1 and SD2 are computed.
  package enum Poincare: Hashable, Sendable {
    /// From SDSD and SDNN, both n - 1 (Brennan and others, IEEE Trans. Biomed. Eng. 48:1342, 2001).
    case identities
    /// As standard deviations across and along the diagonal of the plot, with that much off the denominator.
    case rotation(lostDegrees: Int)
  }
}
