/// A named set of the choices that the definitions of measures leave open.
///
/// Programs differ in these choices, and therefore in their numbers for the same beats: see the article "Measures".
package struct AnalysisPreset: Hashable, Sendable {
  /// The name reported with every number.
  package var name: String

  /// The variant of the standard deviation of successive differences.
  package var differenceDeviation: DifferenceDeviation

  /// The divisor of NN50 and NN20 for their shares.
  package var shareDivisor: ShareDivisor

  /// The method for the axes of the Poincaré plot.
  package var poincare: Poincare

  /// The settings of sample entropy.
  package var sampleEntropy: SampleEntropySettings

  /// The settings of detrended fluctuation analysis.
  package var fluctuation: FluctuationSettings

  /// The settings of the spectrum and its bands.
  package var spectrum: SpectrumSettings

  /// The input and denominator of SDSD.
  package enum DifferenceDeviation: Hashable, Sendable {
    /// The differences, with n - 1.
    case sample
    /// The differences, with n.
    case population
    /// The differences' magnitudes, with n - 1: what pyHRV computes, although no definition says so.
    case magnitudes
  }

  /// The divisor of a count of large differences.
  package enum ShareDivisor: Hashable, Sendable {
    /// The number of differences.
    case differences
    /// The number of differences plus one.
    case differencesAndOne
  }

  /// The method for SD1 and SD2.
  package enum Poincare: Hashable, Sendable {
    /// From SDSD and SDNN, both with n - 1 (Brennan and others, IEEE Trans. Biomed. Eng. 48:1342, 2001).
    case identities
    /// As standard deviations across and along the diagonal of the plot, with this number subtracted in the
    /// denominator.
    case rotation(lostDegrees: Int)
  }
}
