import Quantities
import Sound
import Study

/// The speaker and the outputs of markers, open as long as a session lasts.
struct SessionOutputs: Sendable {
  /// `nil` for a session without sound.
  let speaker: (any Speaker)?
  /// Where markers go.
  let markers: MarkerOutputs
  /// The formats that the speaker is prepared for at the session's start.
  private let formats: [SoundFormat]

  /// How long the session waits for programs that receive its streams of markers.
  private static let receiverPatience = Duration.seconds(5)

  /// The pause between attempts to prepare a speaker.
  private static let speakerPause = Duration.seconds(1)

  /// Opens the speaker, where there is something to play, and the outputs of markers.
  ///
  /// - Parameters:
  ///   - setup: the session's setup.
  ///   - stimulus: the session's first stimulus; `nil` for one without.
  ///   - speaks: whether the steps say something.
  ///   - sessionOperator: is informed.
  ///   - environment: opens the speaker.
  /// - Returns: the outputs, open.
  /// - Throws: what keeps one of them from being used.
  static func open(
    for setup: SessionSetup, stimulus: Stimulus?, speaks: Bool, _ sessionOperator: any SessionOperator,
    _ environment: SessionEnvironment
  ) async throws -> SessionOutputs {
    let study = setup.study
    let plays = stimulus != nil || speaks || setup.playsNoise || study.studyProtocol.playsTones
    let speaker = plays ? try await environment.openSpeaker(setup.speaker, setup.outputLatency) : nil
    if study.studyProtocol.followsDetectedBeats { speaker?.useLowLatency() }
    var markers = MarkerOutputs()
    do {
      markers = try await MarkerOutputs.open(
        setup.markers, for: study.studyProtocol, clips: study.clips, speaker: speaker)
      let unreceived = try await markers.unreceived(after: receiverPatience, on: environment.clock)
      let notes = unreceived.map(MarkerOutputs.note(ofUnreceived:))
      let formats = setup.formats(of: stimulus, speaks: speaks).map { markers.format(of: $0) }
      let outputs = SessionOutputs(speaker: speaker, markers: markers, formats: formats)
      guard let speaker else {
        sessionOperator.inform(.outputs(notes))
        return outputs
      }
      for format in formats { try await sessionOperator.prepare(speaker, for: format) }
      sessionOperator.inform(.outputs(speaker.description.notes + setup.levelNotes(on: speaker) + notes))
      return outputs
    } catch {
      await speaker?.close()
      markers.close()
      throw error
    }
  }

  func close() async {
    await speaker?.close()
    markers.close()
  }

  /// Prepares the speaker for a sound; one that cannot be prepared is waited for, until the operator gives up.
  ///
  /// - Parameters:
  ///   - format: the sound's format.
  ///   - sessionOperator: is informed, and may give up.
  ///   - clock: paces the tries.
  /// - Returns: whether it is ready.
  /// - Throws: `CancellationError`.
  func awaitSpeaker(
    for format: SoundFormat, _ sessionOperator: any SessionOperator, on clock: any StationClock
  ) async throws -> Bool {
    guard let speaker else { return true }
    var isWaiting = false
    while true {
      do {
        try await sessionOperator.prepare(speaker, for: markers.format(of: format))
        guard isWaiting else { return true }
        // Nothing of what was prepared for the session may be left.
        for format in formats { try await sessionOperator.prepare(speaker, for: format) }
        sessionOperator.inform(.awaitsSpeaker(nil))
        return true
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        if !isWaiting { sessionOperator.inform(.awaitsSpeaker("\(error)")) }
        isWaiting = true
        _ = await firstResult(
          of: { _ = try? await clock.sleep(for: Self.speakerPause) }, unless: sessionOperator.awaitGivingUp)
        guard !sessionOperator.givesUp else {
          sessionOperator.inform(.awaitsSpeaker(nil))
          return false
        }
      }
    }
  }
}

extension SessionSetup {
  /// Whether noise is played in a step of the protocol.
  fileprivate var playsNoise: Bool {
    study.studyProtocol.allSteps.contains { $0.step.kind is VolumeStep || $0.step.kind is HeadphoneCheckStep }
  }

  /// The formats of all that is played, the stimulus's first: to open one in the middle of a trial can take seconds.
  fileprivate func formats(of stimulus: Stimulus?, speaks: Bool) -> [SoundFormat] {
    let main = stimulus?.format ?? PreparedSpeech.format
    var formats = [main]
    if speaks { formats.append(PreparedSpeech.format) }
    if playsNoise { formats.append(SoundFormat(sampleRate: main.sampleRate, channels: 2)) }
    return formats
  }

  /// A note that the level of clips is not known, if the protocol or the station needs it.
  fileprivate func levelNotes(on speaker: any Speaker) -> [String] {
    let needsLevel = needsLoudness || study.studyProtocol.namedMaximumLevel != nil
    guard needsLevel, calibration(of: speaker) == nil else { return [] }
    return ["the speaker is not calibrated: results have no level in dB SPL; see “station check level”"]
  }
}

extension StudyProtocol {
  /// Whether a step begins or ends with a tone.
  fileprivate var playsTones: Bool {
    allSteps.contains {
      $0.step.active.map { $0.shouldPlaySoundOnStart || $0.shouldPlaySoundOnFinish } ?? false
    }
  }

  /// Whether a sound follows a heartbeat that the station detects.
  fileprivate var followsDetectedBeats: Bool { allSteps.contains { $0.step.music?.music.onset?.beat == .detected } }
}
