/// A refusal of the sound server, with advice.
package struct SoundServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The failed action: `connect to PulseAudio at “unix:/run/user/1000/pulse/native”`.
  package var action: String
  package var reason: String
  /// What the operator can do; `nil` if unknown.
  package var advice: String?
  /// Whether no server answered.
  var isUnreachable = false

  /// The message for the operator: `cannot connect to PulseAudio: Connection refused; start PipeWire or PulseAudio, or
  /// rehearse with --speaker silent`.
  package var description: String { "cannot \(action): \(reason)" + (advice.map { "; \($0)" } ?? "") }
}

extension SoundServerError {
  static func inaudible(_ sink: String, _ description: String?) -> String {
    let called = description.map { $0.isEmpty || $0 == sink ? "" : " (\($0))" } ?? ""
    return "the sink “\(sink)”\(called) is a null sink: it discards its sound, and no one can hear it"
  }

  /// The refusal of a default sink that is a null sink, beside the server's audible sinks.
  static func nullSink(_ sink: String, _ description: String?, others: [String]) -> SoundServerError {
    let choice = others.isEmpty ? "" : " (" + others.map { "“\($0)”" }.joined(separator: ", ") + ")"
    return SoundServerError(
      action: "play through the server's default sink", reason: inaudible(sink, description),
      advice: "connect a loudspeaker, choose another sink with --speaker NAME\(choice), or run without sound: "
        + "--speaker silent, or --speaker \(sink) for this sink")
  }
}
