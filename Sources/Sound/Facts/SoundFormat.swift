import Basics
import Quantities

/// The format of a sound: 32-bit floating-point samples, channels interleaved.
package struct SoundFormat: Hashable, Sendable {
  package var sampleRate: Int
  package var channels: Int

  package init(sampleRate: Int, channels: Int) {
    self.sampleRate = sampleRate
    self.channels = channels
  }
}

extension SoundFormat {
  /// The number of frames closest to a duration, within half a frame.
  package func frames(in duration: Duration) -> Int {
    let nanoseconds = Int(duration.nanoseconds)
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let doubled = 2 * rest * sampleRate + (nanoseconds < 0 ? -1_000_000_000 : 1_000_000_000)
    return seconds * sampleRate + doubled / 2_000_000_000
  }

  package func duration(of frames: Int) -> Duration {
    let (seconds, rest) = frames.quotientAndRemainder(dividingBy: sampleRate)
    return .seconds(seconds) + .nanoseconds((2 * rest * 1_000_000_000 + sampleRate) / (2 * sampleRate))
  }
}

/// A refusal of the sound server, with advice.
struct SoundServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The failed action: `connect to PulseAudio at “unix:/run/user/1000/pulse/native”`.
  var action: String
  var reason: String
  /// What the operator can do; `nil` if unknown.
  var advice: String?
  /// Whether no server answered.
  var isUnreachable = false

  /// The message for the operator: `cannot connect to PulseAudio: Connection refused; start PipeWire or PulseAudio, or
  /// rehearse with --speaker silent`.
  var description: String { "cannot \(action): \(reason)" + (advice.map { "; \($0)" } ?? "") }
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

/// What a sink's output takes beyond what its server knows: converters, a radio link, the way to the ear.
package struct OutputLatency: Hashable, Sendable {
  /// How the latency is known.
  package enum Basis: String, Hashable, Sendable, CaseIterable, Codable {
    /// A loop-back check bounds it: it may be anything from zero to twice the value.
    case loopback
    case measured
    /// A basis written by a later version of the station.
    case unknown

    /// Decodes any text; one that is not known becomes `unknown`.
    package init(from decoder: any Decoder) throws {
      self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unknown
    }
  }

  /// The value, which is added to onsets and offsets.
  package var latency: Duration
  /// How far it may be from the truth, which is added to the uncertainty of onsets and offsets.
  package var uncertainty: Duration
  /// How it was found; `nil` where that is not known.
  package var basis: Basis?

  package init(_ latency: Duration, uncertainty: Duration = .zero, basis: Basis? = nil) {
    (self.latency, self.uncertainty, self.basis) = (latency, uncertainty, basis)
  }

  /// None beyond what the server knows.
  package static let zero = OutputLatency(.zero)
}

/// The output latencies of a station, of which one applies to a sink.
package struct OutputLatencies: Hashable, Sendable {
  /// The one that applies to every sink.
  var always: OutputLatency?
  var sinks: [String: OutputLatency]
  /// The one of every other sink.
  var otherwise: OutputLatency

  package init(
    always: OutputLatency? = nil, sinks: [String: OutputLatency] = [:], otherwise: OutputLatency = .zero
  ) {
    (self.always, self.sinks, self.otherwise) = (always, sinks, otherwise)
  }

  func of(_ sink: String) -> OutputLatency { always ?? sinks[sink] ?? otherwise }
}
