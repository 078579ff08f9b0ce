import Basics

/// What a heart-rate sensor delivered at once: a rate, the RR intervals since its last delivery, or both.
package struct HeartReading: Hashable, Sendable {
  /// Beats a minute, as the sensor says; `nil` when it said none.
  package var heartRate: Double?

  /// The RR intervals in milliseconds, oldest first; the last one ends at ``happened``.
  package var rrIntervals: [Double]

  /// Whether the sensor touches the skin; `nil` where it cannot tell.
  package var contact: Bool?

  /// When it happened: the instant of the last beat, with the sensor's latency taken off.
  package var happened: Moment

  /// When it reached this program.
  package var arrived: Moment

  /// When the sender says that it happened, in seconds of the sender's own clock; `nil` where it says nothing.
  package var senderTime: Double?

  /// A reading.
  package init(
    heartRate: Double?, rrIntervals: [Double] = [], contact: Bool? = nil, happened: Moment, arrived: Moment,
    senderTime: Double? = nil
  ) {
    self.heartRate = heartRate
    self.rrIntervals = rrIntervals
    self.contact = contact
    self.happened = happened
    self.arrived = arrived
    self.senderTime = senderTime
  }
}
