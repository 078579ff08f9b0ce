import Basics
import Bundles
import Laboratory
import Quantities
import Sound
import Study

/// What a session takes from the computer that it runs on: time, places, sound and identity.
package struct SessionEnvironment: Sendable {
  /// The clock of trials, sound and sensors.
  var clock: any StationClock
  /// Gives the archive at the path of a results folder.
  var archive: @Sendable (_ path: String) -> any SessionArchive
  /// Opens the participants' list at a file or server.
  var openList: @Sendable (_ location: String) async throws -> ParticipantList
  /// Connects to a speaker.
  var openSpeaker: @Sendable (SpeakerChoice, _ outputLatency: OutputLatencies) async throws -> any Speaker
  /// Makes the sound of a planned stimulus; `measures` says that its loudness is needed.
  var load: @Sendable (PlannedStimulus, _ measures: Bool) async throws -> LoadedStimulus
  /// Speaks a text in a language, before it is needed.
  package var speak: SpeechRenderer
  /// Makes the identifier of a trial or session that begins at a time.
  var identify: @Sendable (WallTime) -> TrialIdentifier
  /// The kernel's identifier of this boot; `nil` if it is not known.
  var boot: String?
  /// Whether all this is simulated.
  var isSimulated: Bool

  /// The environment of this computer.
  package static var here: SessionEnvironment {
    SessionEnvironment(
      clock: MonotonicClock(), archive: { ResultsFolder($0) }, openList: { try await ParticipantList.open($0) },
      openSpeaker: { try await $0.open(outputLatency: $1) },
      load: { try await StimulusLoader().loaded($0.clip, for: $0.music, measures: $1) },
      speak: { text, language throws(SpeechError) in try await SpeechProgram().speech(text, in: language) },
      identify: { TrialIdentifier(time: $0) },
      boot: StationFacts.boot, isSimulated: false)
  }
}
