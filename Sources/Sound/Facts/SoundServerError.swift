/// A refusal of the sound server, with advice.
package struct SoundServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The failed action: `connect to PulseAudio at “unix:/run/user/1000/pulse/native”`.
  package let action: String

  /// Why it failed.
  package let reason: String

  /// What the operator can do; `nil` if unknown.
  package let advice: String?

  /// Whether no server answered.
  package let isUnreachable: Bool

  /// Creates an error.
  package init(action: String, reason: String, advice: String? = nil, isUnreachable: Bool = false) {
    self.action = action
    self.reason = reason
    self.advice = advice
    self.isUnreachable = isUnreachable
  }

  /// The message for the operator: `cannot connect to PulseAudio: Connection refused; start PipeWire or PulseAudio, or
  /// rehearse with --speaker silent`.
  package var description: String { "cannot \(action): \(reason)" + (advice.map { "; \($0)" } ?? "") }
}
