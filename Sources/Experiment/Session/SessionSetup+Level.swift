import Sound
import Study

extension SessionSetup {
  /// Whether the loudness of every clip is needed, and not only of those with a target.
  var needsLoudness: Bool { choosesVolume || !calibrations.isEmpty }

  /// Whether noise is played in a step of the protocol.
  var playsNoise: Bool {
    study.studyProtocol.allSteps.contains { $0.step.kind is VolumeStep || $0.step.kind is HeadphoneCheckStep }
  }

  /// Whether the participant chooses the volume in a step of the protocol.
  var choosesVolume: Bool {
    study.studyProtocol.allSteps.contains { $0.step.kind is VolumeStep }
  }

  /// The calibration of a speaker; `nil` for one without.
  func calibration(of speaker: (any Speaker)?) -> StationSettings.Calibration? {
    speaker?.description.facts.sink.flatMap { calibrations[$0] }
  }

  /// That the level of clips is not known, for a protocol or a station to which it matters.
  func levelNotes(on speaker: any Speaker) -> [String] {
    let isOfInterest = choosesVolume || !calibrations.isEmpty || study.studyProtocol.namedMaximumLevel != nil
    guard isOfInterest, calibration(of: speaker) == nil else { return [] }
    return ["the speaker is not calibrated: results have no level in dB SPL; see “station check level”"]
  }
}
