import Basics

/// A delivery of a heart rate sensor: a heart rate, the RR intervals since the previous delivery, or both.
package struct HeartReading: Hashable, Sendable {
  /// Beats per minute as reported by the sensor; `nil` if not reported.
  package var heartRate: Double?

  /// The RR intervals in milliseconds, oldest first; the last one ends at ``happened``.
  package var rrIntervals: [Double]

  /// Whether the sensor has skin contact; `nil` if it cannot detect that.
  package var contact: Bool?

  /// The time of the last beat: arrival minus the sensor's latency.
  package var happened: Moment

  /// The time of arrival in this program.
  package var arrived: Moment

  /// The time of the event in seconds of the sender's own clock; `nil` if not reported.
  package var senderTime: Double?

  /// Creates a reading.
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
