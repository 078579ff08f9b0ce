import Basics
package import Quantities

/// A reading as the journal keeps it: times since the trial's zero, and which sensor.
package struct SensorReading: Hashable, Sendable, Codable, CheckedInJSON {
  /// The sensor's name.
  package var sensor: String
  /// Beats a minute.
  package var heartRate: Double?
  /// RR intervals in milliseconds, oldest first.
  package var rrIntervals: [Double]
  /// Whether the sensor touches the skin.
  package var contact: Bool?
  /// Why the sensor saw no pulse; `nil` where it did, or does not look for one.
  var problem: SignalProblem?
  /// When it arrived, since the trial's zero.
  package var arrived: Duration
  /// When the sender says that it happened, in seconds of the sender's own clock; `nil` where it says nothing.
  var senderTime: Double?
  /// The bytes that the sensor sent, in hexadecimal digits, where it sends values of a published format.
  var payload: String?

  private enum CodingKeys: String, CodingKey {
    case sensor, contact, arrived, problem, payload
    case heartRate = "hr"
    case rrIntervals = "rr_ms"
    case senderTime = "sender_s"
  }

  /// What is wrong with numbers of the right type.
  package var jsonProblem: String? {
    Plausible.problem(of: "hr", heartRate, in: Plausible.heartRates)
      ?? rrIntervals.lazy.compactMap { Plausible.problem(of: "rr_ms", $0, in: Plausible.intervals) }.first
      ?? Plausible.problem(of: "sender_s", senderTime, in: Plausible.senderTimes)
  }

  /// A reading.
  package init(
    sensor: String, heartRate: Double?, rrIntervals: [Double], contact: Bool?, problem: SignalProblem? = nil,
    arrived: Duration, senderTime: Double? = nil, payload: String? = nil
  ) {
    self.sensor = sensor
    self.heartRate = heartRate
    self.rrIntervals = rrIntervals
    self.contact = contact
    self.problem = problem
    self.arrived = arrived
    self.senderTime = senderTime
    self.payload = payload
  }
}
