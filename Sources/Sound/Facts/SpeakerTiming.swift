import Basics

/// How precisely the sound server knows its sink's position.
package struct SpeakerTiming: Hashable, Sendable, Codable, CheckedInJSON {
  /// What limits the precision.
  package enum Basis: String, Hashable, Sendable, CaseIterable, Codable {
    /// Only the server's clock: a null sink's position is computed.
    case clock
    /// The position of a sound card, which advances in steps.
    case position
    /// A server on PipeWire, which reports the state after its last cycle.
    case cycle
    /// A basis written by a later version of the station.
    case unknown

    /// Decodes the word.
    package init(from decoder: any Decoder) throws {
      self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unknown
    }
  }

  /// What limits the precision.
  package var basis: Basis
  /// The step of the reported position, part of the uncertainty of onset and offset; where the card's course is followed, the
  /// uncertainty can be less.
  package var granularity: Duration

  /// Why decoded numbers are out of range; `nil` if they are valid.
  package var jsonProblem: String? { granularity < .zero ? "“granularity_ns” is negative" : nil }

  /// Creates a timing.
  package init(basis: Basis, granularity: Duration) {
    self.basis = basis
    self.granularity = granularity
  }
}
