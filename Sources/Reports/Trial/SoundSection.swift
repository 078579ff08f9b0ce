import Basics
import Bundles
import Quantities

extension ReportedTrial {
  /// When the sound was to begin and when it did, in plain words; `nil` for a trial without a clip.
  var soundSection: Section? {
    guard let playback = bundle.trialResult.playback else { return nil }
    return Section("Timing of the sound", [.paragraph(sentence(playback)), .facts(timingFacts(playback))])
  }

  private func sentence(_ playback: TrialResult.Playback) -> Words {
    guard let onset = playback.onset else {
      return Words(
        "The onset was not measured: "
          + (playback.failure.map { "the sound failed: \($0)." } ?? "the clip never began to sound."))
    }
    var text = "The first frame of the clip left the sink \(seconds(onset.seconds, 3)) after the trial's zero"
    if let late = playback.scheduled.map({ (onset - $0).milliseconds }) {
      let size = "\(late.magnitude.decimals(late.magnitude < 1 ? 3 : 1)) ms"
      text +=
        late.magnitude < 0.0005 ? ", when it was scheduled" : ", \(size) \(late > 0 ? "after" : "before") its schedule"
    }
    if let uncertainty = playback.onsetUncertainty {
      text += "; that is known to within \(uncertainty.milliseconds.decimals(3)) ms"
    }
    text += "."
    if let played = playback.played, let requested = playback.requested {
      text +=
        played == requested
        ? " It was played for the \(seconds(requested.seconds, 3)) that were asked for, to the frame."
        : " It was played for \(seconds(played.seconds, 3)) of the \(seconds(requested.seconds, 3)) that were asked for."
    }
    return Words(text)
  }

  private func timingFacts(_ playback: TrialResult.Playback) -> [Fact] {
    var facts = [
      Fact("scheduled onset", instant(playback.scheduled)),
      Fact("measured onset", instant(playback.onset, uncertainty: playback.onsetUncertainty)),
      Fact("measured offset", instant(playback.offset, uncertainty: playback.offsetUncertainty)),
    ]
    if let onset = playback.onset, let offset = playback.offset {
      facts.append(Fact("onset to offset", Words(seconds((offset - onset).seconds, 6))))
    }
    facts.append(Fact("frames", frames(playback)))
    if playback.stretches.count > 1 {
      let list = playback.stretches.map { stretch in
        "\(stretch.onset.map { seconds($0.seconds, 3) } ?? "not heard") to "
          + (stretch.offset.map { seconds($0.seconds, 3) } ?? "not measured")
      }
      facts.append(Fact("stretches", Words("\(list.count), parted by pauses: \(list.joined(separator: "; "))")))
    }
    facts.append(Fact("buffer underruns", playback.underruns.map { Words("\($0)") } ?? .none))
    if let failure = playback.failure { facts.append(Fact("failure", .given(failure))) }
    if let speaker = playback.speaker { facts += speakerFacts(speaker) }
    return facts
  }

  private func speakerFacts(_ speaker: TrialResult.Speaker) -> [Fact] {
    let kind = [speaker.kind, speaker.server].compactMap(\.self).map { Words($0, .given) }
    var facts = [
      Fact("speaker", kind.joined(separator: ", ")), Fact("sink", .given(speaker.sink)),
      Fact(
        "audible",
        speaker.isAudible.map { isAudible in
          isAudible
            ? "yes"
            : speaker.kind == "silent"
              ? "no: a private sound server without a loudspeaker" : "no: the sink is a null sink"
        } ?? .none
      ),
    ]
    let rate = speaker.sinkRate.map { "\($0) Hz" } ?? "not known"
    let clipRate = bundle.trialResult.clip?.sampleRate.map { "\($0) Hz" } ?? "not known"
    facts.append(
      Fact(
        "resampling",
        speaker.isResampled.map { isResampled in
          Words(
            isResampled ? "by the sound server, from \(clipRate) to \(rate)" : "none: clip and sink both have \(rate)")
        } ?? .none))
    if let latency = speaker.outputLatency {
      facts.append(Fact("output latency", Words("\(latency.milliseconds.decimals(3)) ms")))
    }
    if let volume = speaker.volume {
      func percent(_ channels: [Double]) -> String { channels.map { "\($0.decimals(0)) %" }.joined(separator: ", ") }
      facts.append(Fact("volume", Words("sink \(percent(volume.sink)); stream \(percent(volume.stream))")))
    }
    return facts
  }

  private func frames(_ playback: TrialResult.Playback) -> Words {
    guard let played = playback.framesPlayed, let requested = playback.framesRequested else {
      return .none
    }
    return Words(played == requested ? "all \(played) that were asked for" : "\(played) of \(requested)")
  }

  /// Seconds since the trial's zero to the microsecond, and how well they are known.
  private func instant(_ time: Duration?, uncertainty: Duration? = nil) -> Words {
    guard let time else { return "not measured" }
    guard let uncertainty else { return Words(seconds(time.seconds, 6)) }
    return Words("\(seconds(time.seconds, 6)) ± \(uncertainty.milliseconds.decimals(3)) ms")
  }
}
