import Basics
import Quantities
import Study

extension ResultDocument {
  /// The clip and how it was chosen; `null` for a trial that did not come to one.
  var clip: JSONValue {
    guard let chosen = account.chosen else { return .null }
    let clip = chosen.clip
    return [
      "name": .string(clip.name),
      "file": .string(ClipCopy.fileName(of: clip)),
      "mediaType": .string(ClipCopy.mediaType(of: clip)),
      "bytes": .integer(clip.bytes),
      "sha256": .string(clip.sha256),
      "frames": .integer(clip.frames),
      "sampleRate": .integer(clip.sampleRate),
      "channels": .integer(clip.channels),
      "duration_s": clip.sampleRate > 0 ? .number(Double(clip.frames) / Double(clip.sampleRate)) : .null,
      "title": .optional(clip.annotation.title),
      "mood": .optional(clip.annotation.mood),
      "tempo_bpm": clip.annotation.tempo.flatMap(JSONValue.finite) ?? .null,
      "licence": .optional(clip.annotation.licence),
      "step": .string(chosen.step),
      "selection": selection(chosen),
      "loudness_LUFS": chosen.loudness.flatMap(JSONValue.finite) ?? .null,
      "truePeak_dBTP": chosen.truePeak.flatMap(JSONValue.finite) ?? .null,
      "gain_dB": .finite(chosen.gain) ?? 0,
      "target_LUFS": (chosen.target?.integrated).flatMap(JSONValue.finite) ?? .null,
      "truePeakLimit_dBTP": (chosen.target?.truePeakLimit).flatMap(JSONValue.finite) ?? .null,
      "reached_LUFS": chosen.reachedLoudness.flatMap(JSONValue.finite) ?? .null,
      "embedded": .bool(embeddedClip != nil),
    ]
  }

  private func selection(_ chosen: ChosenClip) -> JSONValue {
    guard let draw = chosen.draw else {
      return ["method": "named", "purpose": nil, "candidates": nil, "index": nil, "seed": nil, "generator": nil]
    }
    return [
      "method": "random", "purpose": .string(draw.purpose),
      "candidates": .array(draw.candidates.map(JSONValue.string)), "index": .integer(draw.index),
      "seed": .seed(draw.seed), "generator": .string(draw.generator),
    ]
  }

  /// What became of the stimulus; `null` for a trial that did not come to one.
  var playback: JSONValue {
    guard let chosen = account.chosen else { return .null }
    let sound = account.sound
    // A segment that was suspended before it sounded has no onset; the stimulus began with the first that has one.
    let first = sound.segments.first { $0.onset != nil } ?? sound.segments.first
    let last = sound.segments.last { $0.onset != nil } ?? sound.segments.last
    let (onset, offset) = (first?.onset, last?.offset)
    let rate = Double(chosen.clip.sampleRate)
    var members: [String: JSONValue] = [
      "step": .string(chosen.step),
      "requested_ms": .number(chosen.requested.milliseconds),
      "scheduled_ns": .time(first?.scheduled),
      "onset_ns": .time(onset?.time),
      "onsetUncertainty_ns": .time(onset?.uncertainty),
      "offset_ns": .time(offset?.time),
      "offsetUncertainty_ns": .time(offset?.uncertainty),
      "framesRequested": .integer(sound.framesRequested),
      "framesPlayed": .integer(sound.framesPlayed),
      "played_ms": rate > 0 ? .number(Double(sound.framesPlayed) * 1000 / rate) : .null,
      "segments": .array(sound.segments.map(segment)),
      "underruns": .integer(sound.underruns),
      "failure": .optional(sound.failure),
      "speaker": speaker(playing: chosen.clip),
    ]
    if !sound.otherPrograms.isEmpty {
      members["otherPrograms"] = .array(sound.otherPrograms.map(JSONValue.string))
    }
    return .object(members)
  }

  private func segment(_ segment: SoundAccount.Segment) -> JSONValue {
    [
      "segment": .integer(segment.index),
      "scheduled_ns": .nanoseconds(segment.scheduled),
      "onset_ns": .time(segment.onset?.time),
      "onsetUncertainty_ns": .time(segment.onset?.uncertainty),
      "offset_ns": .time(segment.offset?.time),
      "offsetUncertainty_ns": .time(segment.offset?.uncertainty),
      "framesRequested": .integer(segment.framesRequested),
      "framesPlayed": .integer(segment.framesPlayed),
    ]
  }

  private func speaker(playing clip: Clip) -> JSONValue {
    guard let speaker = account.opening.speaker else { return .null }
    var members: [String: JSONValue] = [
      "kind": .string(speaker.kind),
      "server": .optional(speaker.server),
      "sink": .optional(speaker.sink),
      "sinkRate": speaker.sinkRate.map { .integer($0) } ?? .null,
      "audible": .bool(speaker.isAudible),
      "outputLatency_ns": .nanoseconds(speaker.outputLatency),
      "volume": speaker.volume.map(JSONValue.coded) ?? .null,
      "resampled": speaker.sinkRate.map { .bool($0 != clip.sampleRate) } ?? .null,
    ]
    // Older journals have none, and newer ones may have one that is not known here.
    if let timing = speaker.timing, timing.basis != .unknown { members["timing"] = .coded(timing) }
    return .object(members)
  }
}

extension JSONValue {
  /// A time in nanoseconds, or `null`.
  static func time(_ time: Duration?) -> JSONValue { time.map(JSONValue.nanoseconds) ?? .null }
}
