import Basics

/// A delivery of a sensor: a heart rate, the RR intervals since the previous delivery, samples of other channels, or
/// several of these.
package struct HeartReading: Hashable, Sendable {
  /// Beats per minute as reported by the sensor; `nil` if not reported.
  package var heartRate: Double?

  /// The RR intervals in milliseconds, oldest first; the last one ends at ``happened``.
  package var rrIntervals: [Double]

  /// Whether the sensor has skin contact; `nil` if it cannot detect that.
  package var contact: Bool?

  /// Why no pulse was found; `nil` where one was, or the sensor does not look for one in a signal.
  package var problem: SignalProblem?

  /// The time of the last beat: arrival minus the sensor's latency.
  package var happened: Moment

  /// The time of arrival in this program.
  package var arrived: Moment

  /// The time of the event in seconds of the sender's own clock; `nil` if not reported.
  package var senderTime: Double?

  /// The bytes that the sensor sent, where it sends a value of a published format rather than a line.
  package var payload: [UInt8]?

  /// The samples of channels other than the heart's, each quantity at most once.
  package var samples: [ChannelSample]

  /// Whether it says something about the heart, or nothing about anything else.
  package var isOfHeart: Bool {
    heartRate != nil || !rrIntervals.isEmpty || contact != nil || problem != nil || samples.isEmpty
  }

  /// Creates a reading.
  package init(
    heartRate: Double?, rrIntervals: [Double] = [], contact: Bool? = nil, problem: SignalProblem? = nil,
    happened: Moment, arrived: Moment, senderTime: Double? = nil, payload: [UInt8]? = nil,
    samples: [ChannelSample] = []
  ) {
    self.payload = payload
    self.problem = problem
    self.samples = samples
    self.heartRate = heartRate
    self.rrIntervals = rrIntervals
    self.contact = contact
    self.happened = happened
    self.arrived = arrived
    self.senderTime = senderTime
  }
}
