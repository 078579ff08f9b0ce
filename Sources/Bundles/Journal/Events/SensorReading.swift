/// A reading as the journal keeps it: times since the trial's zero, and which sensor.
public struct SensorReading: Hashable, Sendable {
  /// The sensor's name.
  public var sensor: String
  /// Beats a minute.
  public var heartRate: Double?
  /// RR intervals in milliseconds, oldest first.
  public var rrIntervals: [Double]
  /// Whether the sensor touches the skin.
  public var contact: Bool?
  /// When it arrived, since the trial's zero.
  public var arrived: Duration
  /// When the sender says that it happened, in seconds of the sender's own clock; `nil` where it says nothing.
  public var senderTime: Double?

  /// A reading.
  public init(
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
