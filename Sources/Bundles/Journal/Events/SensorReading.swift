/// A reading as the journal keeps it: times since the trial's zero, and which sensor.
package struct SensorReading: Hashable, Sendable {
  /// The sensor's name.
  package var sensor: String
  /// Beats a minute.
  package var heartRate: Double?
  /// RR intervals in milliseconds, oldest first.
  package var rrIntervals: [Double]
  /// Whether the sensor touches the skin.
  package var contact: Bool?
  /// When it arrived, since the trial's zero.
  package var arrived: Duration
  /// When the sender says that it happened, in seconds of the sender's own clock; `nil` where it says nothing.
  package var senderTime: Double?

  /// A reading.
  package init(
    sensor: String, heartRate: Double?, rrIntervals: [Double], contact: Bool?, arrived: Duration,
    senderTime: Double? = nil
  ) {
    self.sensor = sensor
    self.heartRate = heartRate
    self.rrIntervals = rrIntervals
    self.contact = contact
    self.arrived = arrived
    self.senderTime = senderTime
  }
}
