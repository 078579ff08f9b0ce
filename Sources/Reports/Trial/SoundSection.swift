import Basics
import Bundles
import Quantities
import Sound
import Study

extension ReportedTrial {
  /// The scheduled and the measured onset of the sound; `nil` for a trial without a clip.
  var soundSection: Section? {
    guard let playback = bundle.record.playback, let clip = bundle.record.clip else { return nil }
    return Section("Timing of the sound", [.paragraph(sentence(playback, clip)), .facts(timingFacts(playback))])
  }

  private var caveats: [Caveat] { bundle.record.caveats.map(\.caveat) }

  private func sentence(_ playback: TrialRecord.Playback, _ clip: ChosenClip) -> StyledText {
    guard let onset = playback.onset else { return StyledText("The onset was not measured: the clip never sounded.") }
    var text = "The first frame of the clip left the sink \(seconds(onset.time.seconds, 3)) after the trial's zero"
    if let late = playback.scheduled.map({ (onset.time - $0).milliseconds }) {
      let size = "\(late.magnitude.decimals(late.magnitude < 1 ? 3 : 1)) ms"
      text +=
        late.magnitude < 0.0005 ? ", when it was scheduled" : ", \(size) \(late > 0 ? "after" : "before") its schedule"
    }
    text += "; that is known to within \(onset.uncertainty.milliseconds.decimals(3)) ms."
    text +=
      playback.framesPlayed == playback.framesRequested
      ? " It was played\(clip.part) for the \(seconds(clip.requested.seconds, 3)) that were asked for, to the frame."
      : " It was played\(clip.part) for \(seconds(playback.played.seconds, 3)) of the \(seconds(clip.requested.seconds, 3)) that "
        + "were asked for."
    return StyledText(text)
  }

  private func timingFacts(_ playback: TrialRecord.Playback) -> [Fact] {
    var facts = [
      Fact("scheduled onset", playback.scheduled.map { StyledText(seconds($0.seconds, 6)) } ?? "not measured"),
      Fact("measured onset", instant(playback.onset)), Fact("measured offset", instant(playback.offset)),
    ]
    if let onset = playback.onset, let offset = playback.offset {
      facts.append(Fact("onset to offset", StyledText(seconds((offset.time - onset.time).seconds, 6))))
    }
    let (played, requested) = (playback.framesPlayed, playback.framesRequested)
    facts.append(
      Fact(
        "frames", StyledText(played == requested ? "all \(played) that were asked for" : "\(played) of \(requested)")))
    if playback.segments.count > 1 {
      let list = playback.segments.map { segment in
        "\(segment.onset.map { seconds($0.time.seconds, 3) } ?? "not heard") to "
          + (segment.offset.map { seconds($0.time.seconds, 3) } ?? "not measured")
      }
      facts.append(Fact("segments", StyledText("\(list.count), parted by pauses: \(list.joined(separator: "; "))")))
    }
    let underruns = caveats.reduce(0) { if case .underruns(let count) = $1 { $0 + count } else { $0 } }
    facts.append(Fact("buffer underruns", StyledText("\(underruns)")))
    for case .playbackFailed(let reason) in caveats { facts.append(Fact("failure", .given(reason))) }
    if let speaker = bundle.record.speaker { facts += speakerFacts(speaker) }
    return facts
  }

  private func speakerFacts(_ speaker: SpeakerFacts) -> [Fact] {
    let kind = [speaker.kind, speaker.server].compactMap(\.self).map { StyledText($0, .given) }
    var facts = [
      Fact("speaker", kind.joined(separator: ", ")), Fact("sink", .given(speaker.sink)),
      Fact(
        "audible",
        speaker.isAudible
          ? "yes"
          : speaker.kind == SpeakerFacts.silent
            ? "no: a private sound server without a loudspeaker" : "no: the sink is a null sink"),
    ]
    if let rate = speaker.sinkRate, let clip = bundle.record.clip?.clip {
      facts.append(
        Fact(
          "resampling",
          StyledText(
            rate == clip.sampleRate
              ? "none: clip and sink both have \(rate) Hz"
              : "by the \(speaker.quantum == nil ? "sound server" : "station"), from \(clip.sampleRate) Hz to \(rate) Hz"
          )))
    }
    let latencyUncertainty = speaker.outputLatencyUncertainty
    let uncertainty = latencyUncertainty > .zero ? " ± \(latencyUncertainty.milliseconds.decimals(3))" : ""
    let basis =
      switch speaker.outputLatencyBasis {
      case .loopback: ", bounded by a loop-back check"
      case .measured: ", measured"
      case .unknown, nil: ""
      }
    facts.append(
      Fact(
        "output latency",
        StyledText("\(speaker.outputLatency.milliseconds.decimals(3))\(uncertainty) ms\(basis)")))
    if let volume = speaker.volume {
      func percent(_ channels: [Double]) -> String { channels.map { "\($0.decimals(0)) %" }.joined(separator: ", ") }
      facts.append(Fact("volume", StyledText("sink \(percent(volume.sink)); stream \(percent(volume.stream))")))
    }
    return facts
  }

  /// Seconds since the trial's zero with microseconds, and their uncertainty.
  private func instant(_ measured: MeasuredTime?) -> StyledText {
    guard let measured else { return "not measured" }
    return StyledText("\(seconds(measured.time.seconds, 6)) ± \(measured.uncertainty.milliseconds.decimals(3)) ms")
  }
}
