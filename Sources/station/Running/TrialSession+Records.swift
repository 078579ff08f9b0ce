import Basics
import Bundles
import Quantities
import Sound
import Study

extension TrialSession {
  /// What the head of the journal says.
  func opening(
    _ trial: TrialIdentifier, _ zero: WallReading, _ plan: Plan, _ speaker: SpeakerDescription?
  ) -> TrialOpening {
    let head = TrialHead(
      trial: trial.description,
      studyProtocol: ProtocolReference(
        identifier: study.studyProtocol.identifier, version: study.studyProtocol.version,
        sha256: "\(SHA256.digest(of: study.read.bytes))"),
      participant: command.participant,
      session: command.session,
      seed: plan.seed,
      zero: CalendarReading(zero, since: zero.moment),
      station: .here,
      speaker: speaker.map {
        SpeakerFacts(
          kind: $0.kind, server: $0.server, sink: $0.sink, sinkRate: $0.sinkRate, isAudible: $0.isAudible,
          timing: $0.timing, outputLatency: $0.outputLatency, volume: $0.volume,
          isNamed: command.speaker.sinkName != nil)
      },
      isUnattended: command.isUnattended,
      thresholds: study.studyProtocol.verdict)
    return TrialOpening(head: head, recorders: recorders.recorders)
  }

  /// What the journal says about the clip.
  func chosen(_ stimulus: PlannedStimulus, _ loaded: LoadedStimulus) -> ChosenClip {
    ChosenClip(
      step: stimulus.step,
      clip: stimulus.clip,
      draw: stimulus.draw,
      requested: stimulus.music.active.stepDuration,
      gain: loaded.gain,
      loudness: loaded.loudness?.integrated,
      truePeak: loaded.loudness?.truePeak,
      target: stimulus.music.loudness,
      warnings: loaded.warnings)
  }
}
