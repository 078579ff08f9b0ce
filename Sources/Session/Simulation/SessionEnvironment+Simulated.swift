import Basics
import Bundles
import Laboratory
import Quantities
import Sound
import Study
import Synchronization

extension SessionEnvironment {
  /// An environment in which time jumps, nothing sounds, and nothing is decoded.
  ///
  /// - Parameters:
  ///   - time: the clock.
  ///   - archive: where trials are kept.
  ///   - list: the participants' list, for a study that needs one.
  ///   - library: the clips.
  ///   - random: where identifiers come from.
  /// - Returns: the environment.
  static func simulated(
    _ time: SimulatedTime, _ archive: any SessionArchive, _ list: ParticipantList?, _ library: ClipLibrary?,
    _ random: SimulatedRandomness
  ) -> SessionEnvironment {
    let identities = Identities(random.generator(for: "identifiers"))
    return SessionEnvironment(
      clock: time, archive: { _ in archive },
      openList: { location in
        if let list { list } else { try await ParticipantList.open(location) }
      },
      openSpeaker: { _, _ in SilentSpeaker(clock: time) },
      load: { stimulus, _ in
        let warnings = library?.warnings[stimulus.clip.name] ?? []
        return try StimulusLoader().silent(stimulus.clip, for: stimulus.music, warnings: warnings)
      },
      speak: { text, language in Speech(silent: text, language: language) }, identify: { identities.next(at: $0) },
      boot: nil, isSimulated: true)
  }

  /// Identifiers that are the same each time.
  private final class Identities: Sendable {
    private let random: Mutex<SplitMix64>

    init(_ random: SplitMix64) { self.random = Mutex(random) }

    func next(at time: WallTime) -> TrialIdentifier {
      random.withLock { TrialIdentifier(time: time, using: &$0) }
    }
  }
}
