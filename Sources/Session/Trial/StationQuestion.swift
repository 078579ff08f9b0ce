package import Bundles

/// What a session cannot decide itself.
package enum StationQuestion: Sendable {
  /// Everything is open: start the session, or end it without a trace?
  case start
  /// Recorders have no plausible sample: wait for them again, go on without them, or end?
  case sensors([SensorCheck.Shortfall])
  /// A trial turned out bad, for these reasons: perform it again, or go on?
  case badTrial(SessionPlace, reasons: [Caveat])
  /// The session is paused after a trial: go on, or end?
  case paused(after: SessionPlace)

  /// Whether the session has not begun.
  var isStart: Bool { if case .start = self { true } else { false } }
}
