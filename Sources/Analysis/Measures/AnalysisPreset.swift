/// The choices that definitions of measures leave open, under a name.
///
/// Programs differ in them, and so do their numbers for the same beats: see the article "Measures".
public struct AnalysisPreset: Hashable, Sendable {
  /// The name that stands beside every number.
  public var name: String

  /// The standard deviation of successive differences.
  public var differenceDeviation: DifferenceDeviation

  /// What NN50 and NN20 are divided by for their shares.
  public var shareDivisor: ShareDivisor

  /// The axes of the Poincaré plot.
  public var poincare: Poincare

  /// Sample entropy.
  public var sampleEntropy: SampleEntropySettings

  /// Detrended fluctuation analysis.
  public var fluctuation: FluctuationSettings

  /// The spectrum and its bands.
  public var spectrum: SpectrumSettings

  /// What SDSD is the standard deviation of, and with which denominator.
  public enum DifferenceDeviation: Hashable, Sendable {
    /// Of the differences, n - 1.
    case sample
    /// Of the differences, n.
    case population
    /// Of the differences' magnitudes, n - 1: what pyHRV computes, though no definition says so.
    case magnitudes
  }

  /// What a count of large differences is divided by.
  public enum ShareDivisor: Hashable, Sendable {
    /// The number of differences.
    case differences
    /// The number of differences and one.
    case differencesAndOne
  }

  /// How SD1 and SD2 are computed.
  public enum Poincare: Hashable, Sendable {
    /// From SDSD and SDNN, both n - 1 (Brennan and others, IEEE Trans. Biomed. Eng. 48:1342, 2001).
    case identities
    /// As standard deviations across and along the diagonal of the plot, with that much off the denominator.
    case rotation(lostDegrees: Int)
  }
}
