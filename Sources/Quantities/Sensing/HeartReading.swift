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

/// Why a sensor that measures finds no pulse.
package enum SignalProblem: String, Hashable, Sendable, CaseIterable, Codable {
  /// No finger covers the camera.
  case noFinger
  /// The picture is too dark.
  case tooDark
  /// The picture is so bright that the camera is saturated.
  case tooBright
  /// The finger or the camera moves.
  case movement
  /// Too few pictures come.
  case tooFewPictures
  /// The signal has no pulse that can be told from noise.
  case noPulse
  /// The signal does not change.
  case flat
  /// The signal rests at its highest or lowest value.
  case saturated
  /// No heartbeats are found in a waveform.
  case noBeats

  /// What it is, in a few words: `no finger on the camera`.
  package var words: String {
    switch self {
    case .noFinger: "no finger on the camera"
    case .tooDark: "the picture is too dark"
    case .tooBright: "the picture is too bright"
    case .movement: "movement"
    case .tooFewPictures: "too few pictures per second"
    case .noPulse: "no pulse"
    case .flat: "a flat line"
    case .saturated: "a saturated amplifier"
    case .noBeats: "no heartbeats"
    }
  }

  /// What to do about it.
  package var advice: String {
    switch self {
    case .noFinger: "cover lens and lamp with the tip of one finger"
    case .tooDark: "switch the lamp on, or go to a brighter place"
    case .tooBright: "press less, or dim the light"
    case .movement: "keep still, and rest the hand on the table"
    case .tooFewPictures: "close other programs that use the camera, or give more light, which shortens the exposure"
    case .noPulse: "press less, warm the hand, keep still, or choose another channel"
    case .flat: "check the electrodes and the cable"
    case .saturated: "lower the gain, or let the electrodes settle"
    case .noBeats: "check the electrodes, and keep still"
    }
  }
}
