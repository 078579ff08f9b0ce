import CPulse

/// A refusal of the sound server, with advice.
package struct PulseAudioError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The failed action: `connect to PulseAudio at “unix:/run/user/1000/pulse/native”`.
  package let action: String

  /// Why it failed.
  package let reason: String

  /// What the operator can do; `nil` if unknown.
  package let advice: String?

  /// Creates an error.
  package init(action: String, reason: String, advice: String? = nil) {
    self.action = action
    self.reason = reason
    self.advice = advice
  }

  /// Creates an error from PulseAudio's error number.
  init(action: String, code: Int32, advice: String? = nil) {
    self.init(action: action, reason: PulseLibrary.text(of: code), advice: advice)
  }

  /// Why a stream ended, from PulseAudio's error number.
  static func lost(_ code: Int32) -> PulseAudioError {
    switch code {
    case Int32(PA_ERR_KILLED.rawValue):
      PulseAudioError(action: "go on playing", reason: "the sink went away", advice: "look for the sound card")
    case Int32(PA_ERR_CONNECTIONTERMINATED.rawValue):
      PulseAudioError(action: "go on playing", reason: "the sound server went away", advice: "start PulseAudio again")
    default: PulseAudioError(action: "play", code: code)
    }
  }

  /// The message for the operator: `cannot connect to PulseAudio: Connection refused; start PulseAudio or use --speaker
  /// silent`.
  package var description: String { "cannot \(action): \(reason)" + (advice.map { "; \($0)" } ?? "") }
}
