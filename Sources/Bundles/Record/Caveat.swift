package import Basics
package import Sound
package import Study

/// A machine-readable remark on the quality of a trial, with its numbers.
///
/// A new one is a case here and its words in `Caveat+Description.swift`.
package enum Caveat: Hashable, Sendable, FlatInJSON, TaggedInJSON {
  // MARK: The trial

  /// The operator or the participant stopped the trial.
  case stopped(reason: String?)
  /// Something broke.
  case failed(reason: String?)
  /// The program died, and the journal was all that was left.
  case recovered
  /// It was simulated, and holds no data of a person.
  case simulated
  /// These of its sensors were simulated, as in a rehearsal.
  case simulatedSensors(sensors: [String])
  /// It was paused so many times.
  case paused(times: Int)
  /// The participant's page was hidden or minimised so many times, for so long in all.
  case pageHidden(times: Int, hidden: Duration)
  /// The participant's page was gone, or did not respond, so many times.
  case pageLost(times: Int)
  /// The participant's page was loaded again so many times.
  case pageReloaded(times: Int)
  /// The participant's page left the full screen so many times.
  case fullScreenLeft(times: Int)
  /// The participant's browser ended so many times, and was started again.
  case browserRestarted(times: Int)
  /// The page could not show a picture so many times.
  case pictureBroken(times: Int)
  /// A step in which something is played or recorded was skipped.
  case stepSkipped(step: String)
  /// A required question was left without an answer.
  case unanswered(step: String, question: String)
  /// The calendar went so much further than the trial's clock.
  case clockJumped(by: Duration)
  /// Lines of the journal are damaged: how many, and what is wrong with the first.
  case journalDamaged(problems: Int, line: Int?, reason: String)
  /// Records of kinds that are not known here, which a newer station has written.
  case unknownRecords(count: Int, kinds: [String])

  // MARK: The stimulus

  /// It was lost, or could not be played.
  case playbackFailed(reason: String)
  /// The clip's file is not as it should be.
  case clipFaulty(clip: String, fault: String)
  /// No frame of it left the sink.
  case neverSounded(clip: String)
  /// The sink discards what it is given.
  case inaudible(sink: String?)
  /// It was played at another loudness than the protocol asks for.
  case loudnessMissed(clip: String, reached: Double, target: Double, peakLimit: Double)
  /// The onset is known no better than this.
  case onsetUncertain(uncertainty: Duration)
  /// The onset was so long after its schedule, or before it where negative.
  case onsetShifted(by: Duration)
  /// No R peak was found where the onset was to follow one.
  case lockUnconfirmed(step: String)
  /// The sound server had nothing to play so many times.
  case underruns(count: Int)
  /// Playback was moved to another sink.
  case sinkChanged(sink: String)
  /// The sink was suspended so many times.
  case sinkSuspended(times: Int)
  /// The sink or the stream was muted so many times.
  case muted(times: Int)
  case volumeChanged(to: SpeakerVolume)
  /// After the onset the rest of it moved by so much.
  case playbackShifted(by: Duration)
  /// Another program played through the same sink.
  case otherProgram(String)
  /// Something else happened to it, of which a newer station knows.
  case otherFault(String)
  /// Nothing says when it ended.
  case endUnknown
  case playedInPart(played: Duration, requested: Duration)
  /// The sound server changed the clip's rate.
  case resampled(from: Int, to: Int)
  /// The sink's or the stream's volume was not 100 %, in percent for each channel.
  case volumeSet(of: VolumePart, volume: [Double])
  /// The sound server reports playback no finer than this, as on PipeWire.
  case coarseTiming(granularity: Duration)
  /// The participant's volume would have clipped, and was lowered.
  case volumeLimited(chosen: Double, played: Double)
  /// The level would have been above the protocol's maximum, and was lowered.
  case levelLimited(wanted: Double, maximum: Double)
  /// What a step noted puts the trial in doubt, such as a headphone check that was not passed.
  case stepObjected(step: String, note: String, reason: String)
  /// A tone was not played.
  case toneFailed(step: String, tone: Tone, reason: String)
  /// Something happened to a tone.
  case toneDisturbed(step: String, tone: Tone, Disturbance<Duration>)
  /// Something that a step says was not played.
  case speechFailed(step: String, utterance: Utterance, reason: String)
  /// Something happened to what a step says.
  case speechDisturbed(step: String, utterance: Utterance, Disturbance<Duration>)
  /// Markers were not sent to another device, or not reset.
  case markersFailed(output: String, count: Int, reason: String)
  /// The code of the onset was sent a time after it, or before it where negative.
  case markerShifted(output: String, by: Duration)

  // MARK: The recordings

  /// A sensor had no connection: how often, and for how long in all.
  case sensorLost(sensor: String, times: Int, lost: Duration, reason: String)
  /// Recorders hold no sample.
  case noSamples(sensor: String, recorders: [String])
  /// A sensor sent nothing for long: how often, and for how long in all.
  case silent(sensor: String, recorders: [String], times: Int, silent: Duration)
  /// A sensor did not touch the skin for so much of a recording.
  case noContact(sensor: String, step: String, lost: Duration, recorded: Duration)
  /// A sensor saw no pulse for so much of a recording.
  case noPulse(sensor: String, step: String, lost: Duration, recorded: Duration)
  /// A sensor's signal was of low quality for so much of a recording.
  case lowQuality(sensor: String, step: String, low: Duration, recorded: Duration)
  /// Samples cover too little of a recording.
  case coverage(recorders: [String], step: String, covered: Duration, recorded: Duration)
  case samplesDropped(sensor: String, count: Int)
  /// A sensor sent more than could be read, and was held back so long: at least so many samples were not read.
  case samplesUnread(sensor: String, count: Int, heldBack: Duration)
  /// Samples have values that no person can have.
  case implausible(recorder: String, count: Int, samples: Int, from: Double, to: Double, unit: String)
  /// Blocks of a waveform's file are damaged, or bytes of it belong to no block.
  case waveformDamaged(recorder: String, blocks: Int, bytes: Int)
  /// Frames of the room's sound were lost: how often, and for how long in all.
  case soundLost(recorder: String, times: Int, lost: Duration)
  /// Samples of the room's sound are as large as a sample can be.
  case soundClipped(recorder: String, samples: Int)
  case neverStarted(recorder: String)
  /// Lines of a sensor could not be read.
  case linesSkipped(sensor: String, count: Int)
  /// Something was odd about a sensor, as what is said of it.
  case sensorNoted(sensor: String, text: String)

  /// What a newer station has written.
  case unknown(caveat: String)

  /// Of what a volume is.
  package enum VolumePart: String, Hashable, Sendable, Codable {
    case sink
    /// Of the station's stream.
    case stream
  }

  /// The member that says which.
  package static var jsonTag: String { "caveat" }

  private enum LoudnessMissedCodingKeys: String, CodingKey {
    case clip
    case reached = "reached_LUFS"
    case target = "target_LUFS"
    case peakLimit = "truePeakLimit_dBTP"
  }
  private enum VolumeLimitedCodingKeys: String, CodingKey {
    case chosen = "chosen_dB"
    case played = "played_dB"
  }
  private enum LevelLimitedCodingKeys: String, CodingKey {
    case wanted = "wanted_dBSPL"
    case maximum = "maximumLevel_dBSPL"
  }
  private enum VolumeChangedCodingKeys: String, CodingKey { case to = "volume" }
  private enum VolumeSetCodingKeys: String, CodingKey {
    case of
    case volume = "volume_percent"
  }
  private enum OtherProgramCodingKeys: String, CodingKey { case _0 = "program" }
  private enum OtherFaultCodingKeys: String, CodingKey { case _0 = "what" }
  private enum ResampledCodingKeys: String, CodingKey {
    case from = "from_Hz"
    case to = "to_Hz"
  }
}

extension Caveat {
  /// That a clip is played at another loudness than is asked for; `nil` for one that is not, or was not measured.
  package static func loudness(of clip: String, reached: Double?, target: LoudnessTarget?) -> Caveat? {
    guard let reached, let target, abs(target.integrated - reached) > LoudnessTarget.negligible else { return nil }
    return .loudnessMissed(
      clip: clip, reached: reached, target: target.integrated, peakLimit: target.truePeakLimit)
  }
}

/// A caveat and what it makes of a trial.
package struct JudgedCaveat: Hashable, Sendable, Codable {
  /// What it makes of the trial by itself; `good` for what is only to be known.
  let verdict: Verdict
  package let caveat: Caveat
}

extension Caveat {
  /// The caveat as files have it.
  package var json: JSONValue { .coded(self) }

  /// What it is about: the same for one whose numbers have grown while a trial runs.
  package var topic: [String: JSONValue] {
    JSONValue.members(of: self).filter { _, value in
      switch value {
      case .number, .object: false
      default: true
      }
    }
  }
}
