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
