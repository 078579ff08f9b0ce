internal import Bundles
internal import JSON

extension ReportedTrial {
  private var result: JSONValue { bundle.result }

  /// When the sound was to begin and when it did, in plain words; `nil` for a trial without a clip.
  var soundSection: Section? {
    guard let playback = result["playback"], playback != .null else { return nil }
    return Section("Timing of the sound", [.paragraph(sentence(playback)), .facts(timingFacts(playback))])
  }

  private func sentence(_ playback: JSONValue) -> Words {
    guard let onset = time(playback["onset_ns"]) else {
      return Words(
        "The onset was not measured: "
          + (playback["failure"]?.string.map { "the sound failed: \($0)." } ?? "the clip never began to sound."))
    }
    var text = "The first frame of the clip left the sink \(seconds(onset, 3)) after the trial's zero"
    if let late = time(playback["scheduled_ns"]).map({ (onset - $0) * 1000 }) {
      let size = "\(late.magnitude.decimals(late.magnitude < 1 ? 3 : 1)) ms"
      text +=
        late.magnitude < 0.0005 ? ", when it was scheduled" : ", \(size) \(late > 0 ? "after" : "before") its schedule"
    }
    if let uncertainty = time(playback["onsetUncertainty_ns"]) {
      text += "; that is known to within \((uncertainty * 1000).decimals(3)) ms"
    }
    text += "."
    if let played = playback["played_ms"]?.number, let requested = playback["requested_ms"]?.number {
      text +=
        played == requested
        ? " It was played for the \((requested / 1000).decimals(3)) s that were asked for, to the frame."
        : " It was played for \((played / 1000).decimals(3)) s of the \((requested / 1000).decimals(3)) s that were asked for."
    }
    return Words(text)
  }

  private func timingFacts(_ playback: JSONValue) -> [Fact] {
    var facts = [
      Fact("scheduled onset", instant(playback["scheduled_ns"])),
      Fact("measured onset", instant(playback["onset_ns"], uncertainty: playback["onsetUncertainty_ns"])),
      Fact("measured offset", instant(playback["offset_ns"], uncertainty: playback["offsetUncertainty_ns"])),
    ]
    if let onset = time(playback["onset_ns"]), let offset = time(playback["offset_ns"]) {
      facts.append(Fact("onset to offset", Words(seconds(offset - onset, 6))))
    }
    facts.append(Fact("frames", frames(playback)))
    if let segments = playback["segments"]?.array, segments.count > 1 {
      let list = segments.map { segment in
        "\(time(segment["onset_ns"]).map { seconds($0, 3) } ?? "not heard") to "
          + (time(segment["offset_ns"]).map { seconds($0, 3) } ?? "not measured")
      }
      facts.append(Fact("stretches", Words("\(segments.count), parted by pauses: \(list.joined(separator: "; "))")))
    }
    facts.append(Fact("ran dry", times(playback["underruns"]?.integer)))
    if let failure = playback["failure"]?.string { facts.append(Fact("failure", .given(failure))) }
    if let speaker = playback["speaker"], speaker != .null { facts += speakerFacts(speaker) }
    return facts
  }

  private func speakerFacts(_ speaker: JSONValue) -> [Fact] {
    let kind = [speaker["kind"]?.string, speaker["server"]?.string].compactMap(\.self).map { Words($0, .given) }
    var facts = [
      Fact("speaker", kind.joined(separator: ", ")), Fact("sink", .given(speaker["sink"]?.string)),
      Fact(
        "audible", speaker["audible"]?.bool.map { $0 ? "yes" : "no: a private sound server that nobody hears" } ?? .none
      ),
    ]
    let rate = speaker["sinkRate"]?.integer.map { "\($0) Hz" } ?? "not known"
    let clipRate = result["clip"]?["sampleRate"]?.integer.map { "\($0) Hz" } ?? "not known"
    facts.append(
      Fact(
        "resampling",
        speaker["resampled"]?.bool.map { isResampled in
          Words(
            isResampled ? "by the sound server, from \(clipRate) to \(rate)" : "none: clip and sink both have \(rate)")
        } ?? .none))
    if let latency = speaker["outputLatency_ns"]?.number {
      facts.append(Fact("output latency", Words("\((latency / 1e6).decimals(3)) ms")))
    }
    if let volume = speaker["volume"], volume != .null {
      func percent(_ name: String) -> String {
        (volume[name]?.array ?? []).compactMap(\.number).map { "\($0.decimals(0)) %" }.joined(separator: ", ")
      }
      facts.append(Fact("volume", Words("sink \(percent("sink_percent")); stream \(percent("stream_percent"))")))
    }
    return facts
  }

  private func frames(_ playback: JSONValue) -> Words {
    guard let played = playback["framesPlayed"]?.integer, let requested = playback["framesRequested"]?.integer else {
      return .none
    }
    return Words(played == requested ? "all \(played) that were asked for" : "\(played) of \(requested)")
  }

  private func times(_ number: Int?) -> Words {
    switch number {
    case nil: .none
    case 0?: "never"
    case 1?: "once"
    case let number?: Words("\(number) times")
    }
  }

  private func time(_ value: JSONValue?) -> Double? { value?.number.map { $0 / 1e9 } }

  /// Seconds since the trial's zero to the microsecond, and how well they are known.
  private func instant(_ value: JSONValue?, uncertainty: JSONValue? = nil) -> Words {
    guard let time = time(value) else { return "not measured" }
    guard let half = self.time(uncertainty) else { return Words(seconds(time, 6)) }
    return Words("\(seconds(time, 6)) ± \((half * 1000).decimals(3)) ms")
  }
}
