import CPulse

extension SoundServerError {
  /// Creates an error from PulseAudio's error number.
  init(action: String, code: Int32, advice: String? = nil, isUnreachable: Bool = false) {
    self.init(action: action, reason: PulseLibrary.text(of: code), advice: advice, isUnreachable: isUnreachable)
  }

  /// Why a stream ended, from PulseAudio's error number.
  static func lost(_ code: Int32) -> SoundServerError {
    switch code {
    case Int32(PA_ERR_KILLED.rawValue):
      SoundServerError(action: "go on playing", reason: "the sink went away", advice: "look for the sound card")
    case Int32(PA_ERR_CONNECTIONTERMINATED.rawValue):
      SoundServerError(action: "go on playing", reason: "the sound server went away", advice: "start PulseAudio again")
    default: SoundServerError(action: "play", code: code)
    }
  }
}
