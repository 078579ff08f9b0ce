import Glibc

/// Connects to a sink of the sound server that runs.
package struct SoundServerChoice: Hashable, Sendable {
  private let sink: String?
  private let refusesNullSink: Bool
  private let outputLatency: OutputLatencies

  /// Describes what to connect to.
  ///
  /// - Parameters:
  ///   - sink: the sink's name; `nil` for the server's default.
  ///   - refusesNullSink: whether a default is refused if it is a null sink.
  ///   - outputLatency: what the sinks' output takes beyond what their server knows.
  package init(sink: String?, refusesNullSink: Bool, outputLatency: OutputLatencies) {
    self.sink = sink
    self.refusesNullSink = refusesNullSink
    self.outputLatency = outputLatency
  }

  /// Whether PipeWire is asked first: its socket is there, and `PULSE_SERVER` does not ask for PulseAudio.
  package static var prefersPipeWire: Bool { unsafe getenv("PULSE_SERVER") == nil && PipeWireSpeaker.hasSocket }

  /// Connects to PipeWire.
  package func pipeWire() async throws -> any Speaker {
    try await PipeWireSpeaker(sink: sink, refusesNullSink: refusesNullSink, outputLatency: outputLatency)
  }

  /// Connects to PulseAudio.
  package func pulseAudio() async throws -> any Speaker {
    try await PulseSpeaker(sink: sink, refusesNullSink: refusesNullSink, outputLatency: outputLatency)
  }

  /// Connects to PipeWire where it runs and has the sink, else to PulseAudio; `PULSE_SERVER` asks for PulseAudio.
  ///
  /// - Throws: PulseAudio's error if neither can be used; PipeWire's where it runs and PulseAudio does not.
  package func whatRuns() async throws -> any Speaker {
    try await Self.whatRuns {
      try await pipeWire()
    } pulseAudio: {
      try await pulseAudio()
    }
  }

  /// Asks PipeWire where it runs, else PulseAudio; `PULSE_SERVER` asks for PulseAudio.
  ///
  /// - Throws: PulseAudio's error if neither can be used; PipeWire's where it runs and PulseAudio does not.
  static func whatRuns<Value: Sendable>(
    pipeWire: () async throws -> Value, pulseAudio: () async throws -> Value
  ) async throws -> Value {
    guard prefersPipeWire else { return try await pulseAudio() }
    do {
      return try await pipeWire()
    } catch let problem as SoundServerError {
      // A PipeWire that only serves cameras has no sink, and PulseAudio has the sinks.
      do {
        return try await pulseAudio()
      } catch {
        throw problem
      }
    }
  }
}

/// A private sound server whose sink discards its sound.
package enum SilentServer: Sendable {
  /// Starts a PulseAudio, or a PipeWire where that is not installed, and connects to it.
  ///
  /// - Throws: ``SoundServerError`` if neither is installed.
  package static func open() async throws -> any Speaker {
    do {
      return try await PulseSpeaker.silent()
    } catch let problem as SoundServerError {
      do {
        return try await PipeWireSpeaker.silent()
      } catch {
        throw problem
      }
    }
  }
}
