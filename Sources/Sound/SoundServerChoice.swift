import Basics
import Glibc
import Quantities
import Study

/// Connects to a sink of the sound server that runs.
package struct SoundServerChoice: Hashable, Sendable {
  private let sink: String?
  private let refusesNullSink: Bool
  private let outputLatency: OutputLatencies

  /// Without a name it is the default sink, which may be refused if it is a null sink.
  package init(sink: String?, refusesNullSink: Bool, outputLatency: OutputLatencies) {
    self.sink = sink
    self.refusesNullSink = refusesNullSink
    self.outputLatency = outputLatency
  }

  /// Whether PipeWire is asked first: its socket is there, and `PULSE_SERVER` does not ask for PulseAudio.
  static var prefersPipeWire: Bool { unsafe getenv("PULSE_SERVER") == nil && PipeWireSpeaker.hasSocket }

  /// Connects to PipeWire; throws what keeps the server or the sink from being used.
  package func pipeWire() async throws -> any Speaker {
    try await PipeWireSpeaker(sink: sink, refusesNullSink: refusesNullSink, outputLatency: outputLatency)
  }

  /// Connects to PulseAudio; throws what keeps the server or the sink from being used.
  package func pulseAudio() async throws -> any Speaker {
    try await PulseSpeaker(sink: sink, refusesNullSink: refusesNullSink, outputLatency: outputLatency)
  }

  /// Connects to PipeWire where it runs and has the sink, else to PulseAudio; `PULSE_SERVER` asks for PulseAudio.
  package func whatRuns() async throws -> any Speaker {
    try await Self.whatRuns {
      try await pipeWire()
    } pulseAudio: {
      try await pulseAudio()
    }
  }

  /// Asks PipeWire where it runs, else PulseAudio; throws PulseAudio's error if neither can be used, and PipeWire's where that
  /// runs and PulseAudio does not.
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

extension SpeakerDescription {
  /// Notes on the speaker for the operator before anything is played, one sentence each.
  package var notes: [String] { [audibilityNote, timingNote, delayNote].compactMap(\.self) }

  /// The note on a null sink; a private silent server was requested as such and needs none.
  package var audibilityNote: String? {
    guard !facts.isAudible, facts.kind != SpeakerFacts.silent else { return nil }
    return SoundServerError.inaudible(facts.sink ?? "unknown", sinkDescription)
  }

  private var timingNote: String? {
    guard facts.timing?.basis == .cycle else { return nil }
    return
      "the sound server is \(facts.server ?? "PipeWire"), which reports playback once per cycle: onset and offset are "
      + "uncertain by some milliseconds; --speaker pipewire:\(facts.sink ?? "default") has exact times"
  }

  /// The note on a delay that the times leave out, unless the user has said or measured it.
  private var delayNote: String? {
    guard hasUnknownDelay, facts.outputLatency == .zero, facts.outputLatencyBasis == nil else { return nil }
    return
      "the sound server does not know the delay of the sink “\(facts.sink ?? "unknown")” itself, which is not a sound card: onset "
      + "and offset leave it out; `station check loopback` measures it"
  }
}
