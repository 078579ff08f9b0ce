import Basics

/// How finely the sound server knows what its sink is playing: no onset or offset is known better than this.
package struct SpeakerTiming: Hashable, Sendable, Codable, CheckedInJSON {
  /// What limits it.
  package enum Basis: String, Hashable, Sendable, CaseIterable, Codable {
    /// Nothing beyond the server's clock: a null sink's position is computed.
    case clock
    /// The position of a sound card, which moves in steps.
    case position
    /// A server on PipeWire, which answers with what its last cycle left.
    case cycle
    /// What a later version of the station has written.
    case unknown

    /// Reads the word.
    package init(from decoder: any Decoder) throws {
      self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unknown
    }
  }

  /// What limits it.
  package var basis: Basis
  /// The step in which what the server tells moves; part of the uncertainty of every onset and offset.
  package var granularity: Duration

  /// What is wrong with numbers of the right type.
  package var jsonProblem: String? { granularity < .zero ? "“granularity_ns” is negative" : nil }

  /// A timing.
  package init(basis: Basis, granularity: Duration) {
    self.basis = basis
    self.granularity = granularity
  }
}
