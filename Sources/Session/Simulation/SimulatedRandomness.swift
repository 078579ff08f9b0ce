import Basics
import Study
import Synchronization

/// The random numbers of a simulated session, a stream for each purpose, independent of the draws of the study.
struct SimulatedRandomness: Sendable {
  private let study: UInt64
  /// Whose numbers they are, the same for all sessions of a participant.
  private let participant: String
  private let session: Int

  /// - Parameters:
  ///   - seed: the study's seed.
  ///   - participant: whose numbers they are.
  ///   - session: the number of the participant's session.
  init(_ seed: UInt64, _ participant: String, session: Int) {
    (study, self.participant, self.session) = (seed, participant, session)
  }

  /// The generator of the session for one purpose.
  func generator(for purpose: String) -> SplitMix64 { Self.generator(study, "\(participant)/\(session)/\(purpose)") }

  /// The seed of draws for a protocol that has no seed of its study.
  var seed: UInt64 {
    var random = generator(for: "seed")
    return random.next() & Draw.maxSeed
  }

  /// The participant's heart: its seed, another one in each session, and its rate at rest.
  var heart: (seed: UInt64, rate: Int) {
    var random = Self.generator(study, "\(participant)/heart")
    // Nunan, Sandercock and Brodie (2010): RR intervals of 926 ± 90 ms at rest.
    return ((random.next() >> 32) + UInt64(session - 1), Int(min(max(65 + 6 * random.normal(), 45), 100).rounded()))
  }

  private static func generator(_ seed: UInt64, _ purpose: String) -> SplitMix64 {
    SplitMix64(seed: seed ^ fnv1a64("simulation/\(purpose)"))
  }
}
