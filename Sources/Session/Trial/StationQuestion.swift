package import Bundles

/// What a session cannot decide itself.
package enum StationQuestion: Sendable {
  /// Recorders have no plausible sample: wait for them again, go on without them, or end?
  case sensors([SensorCheck.Shortfall])
  /// A trial turned out bad, for these reasons: perform it again, or go on?
  case badTrial(SessionPlace, reasons: [Caveat])
  /// The session is paused after a trial: go on, or end?
  case paused(after: SessionPlace)
}
