import Basics

/// The thresholds between good, suspect and bad trials; a protocol may set each of them (`verdict`).
package struct VerdictThresholds: Hashable, Sendable {
  /// The minimum fraction of a recording that samples cover in a good trial.
  package var goodCoverage = 0.95
  /// The minimum fraction of a recording that samples cover in a suspect trial; below it the trial is bad.
  package var suspectCoverage = 0.5
  /// The longest time that a sample covers: the time to the next one, but no more than this.
  package var sampleHold = Duration.seconds(5)
  /// The maximum fraction of a recording without skin contact, without a pulse, or with a signal of low quality, in a good
  /// trial.
  package var contactLoss = 0.1
  /// The maximum fraction of a recorder's samples with implausible values in a good trial.
  package var goodImplausible = 0.05
  /// The maximum fraction of a recorder's samples with implausible values in a suspect trial; above it the trial is
  /// bad.
  package var suspectImplausible = 0.5
  /// The minimum fraction of the stimulus that was played in a suspect trial; below it the trial is bad.
  package var suspectPlayed = 0.5
  /// The largest deviation of the onset from its schedule in a good trial.
  package var onsetTolerance = Duration.milliseconds(5)
  /// The largest uncertainty of the onset in a good trial.
  package var onsetUncertainty = Duration.milliseconds(1)
  /// The largest deviation of the loudness from its target in a good trial, in LU.
  package var loudnessTolerance = 1.0
  /// The largest drift between system clock and monotonic clock in a good trial.
  package var clockDrift = Duration.seconds(1)

  /// Creates the station's default thresholds.
  package init() {}
}

extension VerdictThresholds: Codable {
  // The protocol's keys.
  private enum CodingKeys: String, CodingKey {
    case goodCoverage, suspectCoverage, contactLoss, goodImplausible, suspectImplausible, suspectPlayed
    case sampleHold = "sampleHold_s"
    case onsetTolerance = "onsetTolerance_ms"
    case onsetUncertainty = "onsetUncertainty_ms"
    case loudnessTolerance = "loudnessTolerance_LU"
    case clockDrift = "clockDrift_s"
  }

  /// Decodes thresholds from a journal; missing ones have the station's defaults.
  package init(from decoder: any Decoder) throws {
    self.init()
    let members = try decoder.container(keyedBy: CodingKeys.self)
    func read(_ key: CodingKeys, _ range: ClosedRange<Double>, _ take: (Double) -> Void) throws {
      guard let number = try members.decodeIfPresent(Double.self, forKey: key) else { return }
      guard range.contains(number) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: members,
          debugDescription:
            "“\(key.stringValue)” is \(number), which lies outside of \(range.lowerBound) to \(range.upperBound)")
      }
      take(number)
    }
    try read(.goodCoverage, 0...1) { goodCoverage = $0 }
    try read(.suspectCoverage, 0...1) { suspectCoverage = $0 }
    try read(.sampleHold, 1...10) { sampleHold = Duration(seconds: $0) }
    try read(.contactLoss, 0...1) { contactLoss = $0 }
    try read(.goodImplausible, 0...1) { goodImplausible = $0 }
    try read(.suspectImplausible, 0...1) { suspectImplausible = $0 }
    try read(.suspectPlayed, 0...1) { suspectPlayed = $0 }
    try read(.onsetTolerance, 0...1000) { onsetTolerance = Duration(milliseconds: $0) }
    try read(.onsetUncertainty, 0...1000) { onsetUncertainty = Duration(milliseconds: $0) }
    try read(.loudnessTolerance, 0...70) { loudnessTolerance = $0 }
    try read(.clockDrift, 0...3600) { clockDrift = Duration(seconds: $0) }
  }

  /// Encodes all thresholds.
  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(goodCoverage, forKey: .goodCoverage)
    try members.encode(suspectCoverage, forKey: .suspectCoverage)
    try members.encode(sampleHold.seconds, forKey: .sampleHold)
    try members.encode(contactLoss, forKey: .contactLoss)
    try members.encode(goodImplausible, forKey: .goodImplausible)
    try members.encode(suspectImplausible, forKey: .suspectImplausible)
    try members.encode(suspectPlayed, forKey: .suspectPlayed)
    try members.encode(onsetTolerance.milliseconds, forKey: .onsetTolerance)
    try members.encode(onsetUncertainty.milliseconds, forKey: .onsetUncertainty)
    try members.encode(loudnessTolerance, forKey: .loudnessTolerance)
    try members.encode(clockDrift.seconds, forKey: .clockDrift)
  }
}
