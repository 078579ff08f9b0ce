import Basics

/// What a trial must reach to be good, and what makes it suspect or bad; a protocol may set each of them (`verdict`).
package struct VerdictThresholds: Hashable, Sendable {
  /// The least share of a recording that samples cover in a good trial.
  package var goodCoverage = 0.95
  /// The least share of a recording that samples cover in a trial that is suspect and not bad.
  package var suspectCoverage = 0.5
  /// For how long a sample stands at most: it covers the time to the next one, but no more than this.
  package var sampleHold = Duration.seconds(5)
  /// The largest share of a recording without skin contact in a good trial.
  package var contactLoss = 0.1
  /// The largest share of a recorder's samples with implausible values in a good trial.
  package var goodImplausible = 0.05
  /// The largest share of a recorder's samples with implausible values in a trial that is suspect and not bad.
  package var suspectImplausible = 0.5
  /// The least share of the stimulus that was played in a trial that is suspect and not bad.
  package var suspectPlayed = 0.5
  /// How far the onset may lie from its schedule in a good trial.
  package var onsetTolerance = Duration.milliseconds(5)
  /// How uncertain the onset may be in a good trial.
  package var onsetUncertainty = Duration.milliseconds(1)
  /// By how much the loudness may miss its target in a good trial, in LU.
  package var loudnessTolerance = 1.0
  /// How far the system clock and the monotonic clock may go apart in a good trial.
  package var clockDrift = Duration.seconds(1)

  /// The station's own thresholds.
  package init() {}
}
