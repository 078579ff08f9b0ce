import CPulse

/// What the sound server refused, and what to do about it.
package struct PulseAudioError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was tried: `connect to PulseAudio at “unix:/run/user/1000/pulse/native”`.
  package let action: String

  /// Why it failed.
  package let reason: String

  /// What the person at the bench can do; `nil` where nothing is known.
  package let advice: String?

  /// An error.
  package init(action: String, reason: String, advice: String? = nil) {
    self.action = action
    self.reason = reason
    self.advice = advice
  }

  /// An error with PulseAudio's own number.
  init(action: String, code: Int32, advice: String? = nil) {
    self.init(action: action, reason: PulseLibrary.text(of: code), advice: advice)
  }

  /// Why a stream ended, by PulseAudio's own number.
  static func lost(_ code: Int32) -> PulseAudioError {
    switch code {
    case Int32(PA_ERR_KILLED.rawValue):
      PulseAudioError(action: "go on playing", reason: "the sink went away", advice: "look for the sound card")
    case Int32(PA_ERR_CONNECTIONTERMINATED.rawValue):
      PulseAudioError(action: "go on playing", reason: "the sound server went away", advice: "start PulseAudio again")
    default: PulseAudioError(action: "play", code: code)
    }
  }

  /// `cannot connect to PulseAudio: Connection refused; start PulseAudio or use --speaker silent`.
  package var description: String { "cannot \(action): \(reason)" + (advice.map { "; \($0)" } ?? "") }
}
