import CPulse

/// What the sound server refused, and what to do about it.
public struct PulseAudioError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was tried: `connect to PulseAudio at “unix:/run/user/1000/pulse/native”`.
  public let action: String

  /// Why it failed.
  public let reason: String

  /// What the person at the bench can do; `nil` where nothing is known.
  public let advice: String?

  /// An error.
  public init(action: String, reason: String, advice: String? = nil) {
    self.action = action
    self.reason = reason
    self.advice = advice
  }

  /// An error with PulseAudio's own number.
  init(action: String, code: Int32, advice: String? = nil) {
    self.init(action: action, reason: unsafe String(cString: pa_strerror(code)), advice: advice)
  }

  /// `cannot connect to PulseAudio: Connection refused; start PulseAudio or use --speaker silent`.
  public var description: String { "cannot \(action): \(reason)" + (advice.map { "; \($0)" } ?? "") }
}
