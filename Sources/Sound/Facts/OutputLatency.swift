import Basics

/// What a sink's output takes beyond what its server knows: converters, a radio link, the way to the ear.
package struct OutputLatency: Hashable, Sendable {
  package enum Basis: String, Hashable, Sendable, CaseIterable, Codable {
    /// A loop-back check bounds it: it may be anything from zero to twice the value.
    case loopback
    case measured
    /// A basis written by a later version of the station.
    case unknown

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
  package var always: OutputLatency?
  package var sinks: [String: OutputLatency]
  /// The one of every other sink.
  package var otherwise: OutputLatency

  package init(
    always: OutputLatency? = nil, sinks: [String: OutputLatency] = [:], otherwise: OutputLatency = .zero
  ) {
    (self.always, self.sinks, self.otherwise) = (always, sinks, otherwise)
  }

  package func of(_ sink: String) -> OutputLatency { always ?? sinks[sink] ?? otherwise }
}
