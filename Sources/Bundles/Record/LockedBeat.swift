import Basics
package import Study

/// The heartbeat that an onset was locked to, as it was known when the sound was scheduled.
package struct LockedBeat: Hashable, Sendable, Codable {
  /// The sensor.
  package var sensor: String
  /// How the beat was known.
  package var beat: OnsetLock.Beat
  /// The time from the R peak to the onset, as the protocol says it.
  package var delay: Duration
  /// When the R peak was, or was predicted to be.
  package var expected: Duration
  /// How it was predicted; `nil` for a detected one.
  package var predictor: String?

  /// Creates a beat.
  package init(sensor: String, lock: OnsetLock, expected: Duration, predictor: String? = nil) {
    (self.sensor, beat, delay) = (sensor, lock.beat, lock.delay)
    (self.expected, self.predictor) = (expected, predictor)
  }
}

extension TrialRecord {
  /// How an onset followed a heartbeat.
  package struct Lock: Hashable, Sendable, Codable {
    /// The heartbeat, as it was known when the sound was scheduled.
    package let heartbeat: LockedBeat
    /// The R peak that was found later, from what came after it; `nil` where none was.
    package let rPeak: Moment?
    /// The time from that R peak to the measured onset.
    package let trueDelay: Duration?
    /// How many R peaks were detected as soon as they were over.
    package let triggers: Int
    /// Those of them that were none.
    package let falseTriggers: [Moment]
    /// The R peaks that were not detected so, between the first and the last trigger.
    package let missedPeaks: [Moment]

    /// A time of a heartbeat.
    package struct Moment: Hashable, Sendable, Codable {
      /// The time.
      package let time: Duration

      private enum CodingKeys: String, CodingKey { case time = "t" }
    }
  }
}
