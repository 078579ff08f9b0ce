import Basics
import Quantities
import Study

extension JournalRecord {
  /// Reads one line of a journal.
  ///
  /// - Parameters:
  ///   - line: the line without its newline.
  ///   - number: the line's number from 1, for messages.
  /// - Throws: ``JournalProblem`` for what is not a record of this format.
  package init(line: [UInt8], number: Int? = nil) throws(JournalProblem) {
    if let record = ReadingLine.record(line) {
      self = record
      return
    }
    let value: JSONValue
    do {
      value = try JSONReader.read(line).value
    } catch {
      throw JournalProblem(line: number, reason: error.problems.first?.description ?? "it is not JSON")
    }
    do {
      let fields = try JournalFields(value)
      self.init(
        sequence: try fields.count("seq"), time: try fields.time("t_ns"), event: try fields.event())
    } catch {
      throw JournalProblem(line: number, reason: error.reason)
    }
  }
}

extension JournalFields {
  fileprivate func event() throws(FieldProblem) -> JournalEvent {
    let kind = try string("kind")
    switch kind {
    case "trial.open": return .trialOpened(try opening())
    case "step.start": return .stepStarted(step: try string("step"))
    case "step.begin": return .stepBegan(step: try string("step"))
    case "step.finish": return .stepFinished(step: try string("step"))
    case "step.end": return .stepEnded(step: try string("step"), reason: try choice("reason"))
    case "clip.chosen": return .clipChosen(try chosenClip())
    case "audio.scheduled":
      return .soundScheduled(
        step: try string("step"), segment: try count("segment"), at: try time("at_ns"),
        frames: try count("frames"))
    case "audio.start":
      return .soundStarted(step: try string("step"), segment: try count("segment"), onset: try measured("onset_ns"))
    case "audio.end":
      return .soundEnded(
        step: try string("step"), segment: try count("segment"), offset: try measured("offset_ns"),
        frames: try count("frames"))
    case "audio.disturbed":
      return .soundDisturbed(step: try string("step"), segment: try optionalCount("segment"), try disturbance())
    case "audio.failed":
      return .soundFailed(
        step: try string("step"), segment: try optionalCount("segment"), reason: try string("reason"))
    case "tone.start":
      return .toneStarted(step: try string("step"), tone: try choice("tone"), onset: try measured("onset_ns"))
    case "tone.end":
      return .toneEnded(step: try string("step"), tone: try choice("tone"), offset: try measured("offset_ns"))
    case "tone.disturbed": return .toneDisturbed(step: try string("step"), tone: try choice("tone"), try disturbance())
    case "tone.failed":
      return .toneFailed(step: try string("step"), tone: try choice("tone"), reason: try string("reason"))
    case "recorder.start":
      return .recorderStarted(
        recorder: try string("recorder"), step: try string("step"), segment: try count("segment"))
    case "recorder.stop":
      return .recorderStopped(
        recorder: try string("recorder"), step: try string("step"), segment: try count("segment"))
    case "hr": return .reading(try reading())
    case "sensor.connected": return .sensorConnected(sensor: try string("sensor"), device: try device())
    case "sensor.lost":
      return .sensorLost(sensor: try string("sensor"), reason: try string("reason"), isFinal: try bool("final"))
    case "sensor.unreadable":
      return .linesSkipped(
        sensor: try string("sensor"), count: try count("count"), firstLine: try count("firstLine"),
        reason: try string("reason"))
    case "sensor.overflow": return .readingsDropped(sensor: try string("sensor"), count: try count("count"))
    case "sensor.note": return .sensorNoted(sensor: try string("sensor"), text: try string("text"))
    case "trial.suspend": return .suspended
    case "trial.resume": return .resumed
    case "signal":
      return .signalled(step: try string("step"), what: try string("what"), text: try optionalString("text"))
    case "note": return .note(try string("text"))
    case "trial.close":
      return .trialClosed(
        TrialClosing(
          outcome: try choice("outcome"), reason: try optionalString("reason"), calendar: try closingCalendar()))
    default: return .unknown(kind: kind)
    }
  }

  private func disturbance() throws(FieldProblem) -> Disturbance<Duration> {
    Disturbance(what: try string("what"), detail: try optionalString("detail"))
  }

  private func closingCalendar() throws(FieldProblem) -> CalendarReading? {
    guard try optionalString("wall") != nil else { return nil }
    return CalendarReading(
      wall: try wall("wall"), time: try time("read_ns"), uncertainty: try length("uncertainty_ns"),
      isSynchronized: try optionalBool("synchronized"))
  }

  private func measured(_ key: String) throws(FieldProblem) -> MeasuredTime {
    MeasuredTime(time: try time(key), uncertainty: try length("uncertainty_ns"))
  }

  private func reading() throws(FieldProblem) -> SensorReading {
    SensorReading(
      sensor: try string("sensor"), heartRate: try optionalNumber("hr", in: Plausible.heartRates),
      rrIntervals: try numbers("rr_ms", in: Plausible.intervals),
      contact: try optionalBool("contact"), arrived: try time("arrived_ns"),
      senderTime: try optionalNumber("sender_s", in: Plausible.senderTimes))
  }

  private func opening() throws(FieldProblem) -> TrialOpening {
    let zero = try object("zero")
    let station = try object("station")
    let speaker = try optionalObject("speaker")
    return TrialOpening(
      trial: try string("trial"), task: try string("task"), taskVersion: try string("taskVersion"),
      protocolSHA256: try string("protocolSha256"), participant: try string("participant"),
      session: try string("session"), seed: try seed("seed"),
      zero: CalendarReading(
        wall: try zero.wall("wall"), uncertainty: try zero.length("uncertainty_ns"),
        isSynchronized: try zero.optionalBool("synchronized")),
      station: StationFacts(
        identifier: try station.string("identifier"), version: try station.string("version"),
        system: try station.string("system"), timeZone: try station.optionalString("timeZone")),
      speaker: try speaker?.speaker(),
      recorders: try objects("recorders").map { fields throws(FieldProblem) in try fields.recorder() },
      sensors: try sources(),
      isUnattended: try bool("unattended"),
      thresholds: try optionalObject("verdict").map { fields throws(FieldProblem) in
        try VerdictThresholds(fields)
      } ?? VerdictThresholds())
  }

  private func sources() throws(FieldProblem) -> [String: SensorSource] {
    var sources: [String: SensorSource] = [:]
    for (recorder, value) in try object("sensors").members {
      let fields = try JournalFields(value)
      sources[recorder] = SensorSource(
        name: try fields.string("name"), latency: try fields.time("latency_ns"), device: try fields.device(),
        location: try fields.location())
    }
    return sources
  }

  private func speaker() throws(FieldProblem) -> SpeakerFacts {
    SpeakerFacts(
      kind: try string("kind"), server: try optionalString("server"), sink: try optionalString("sink"),
      sinkRate: try optionalCount("sinkRate"), isAudible: try bool("audible"),
      timing: try optionalObject("timing")?.timing(), outputLatency: try time("outputLatency_ns"),
      volume: try optionalObject("volume")?.volume(), isNamed: try optionalBool("named"))
  }

  /// A basis that a later version of the station has written is not known here.
  private func timing() throws(FieldProblem) -> SpeakerTiming? {
    guard let basis = SpeakerTiming.Basis(rawValue: try string("basis")) else { return nil }
    return SpeakerTiming(basis: basis, granularity: try length("granularity_ns"))
  }

  private func volume() throws(FieldProblem) -> SpeakerVolume {
    let percent = 0.0...100_000
    return SpeakerVolume(
      sink: try numbers("sink_percent", in: percent), isSinkMuted: try bool("sinkMuted"),
      stream: try numbers("stream_percent", in: percent), isStreamMuted: try bool("streamMuted"))
  }

  private func recorder() throws(FieldProblem) -> TrialRecorder {
    let type = try string("quantityType")
    let symbol = try string("unit")
    guard let quantityType = QuantityType(type), QuantityType.recordable.contains(quantityType) else {
      throw FieldProblem(reason: "no sensor records a quantity type “\(type)”")
    }
    guard let unit = try? Unit(symbol), unit.isCompatible(with: quantityType.defaultUnit) else {
      throw FieldProblem(reason: "“\(symbol)” is not a unit of \(quantityType)")
    }
    return TrialRecorder(
      step: try string("step"),
      configuration: RecorderConfiguration(
        identifier: try string("identifier"), quantityType: quantityType, unit: unit, settle: try length("settle_ns"),
        motionContext: try motionContext()))
  }

  private func chosenClip() throws(FieldProblem) -> ChosenClip {
    let clip = try object("clip")
    let draw = try optionalObject("draw")
    return ChosenClip(
      step: try string("step"),
      clip: Clip(
        name: try clip.string("name"), path: try clip.string("path"), bytes: try clip.count("bytes"),
        sha256: try clip.string("sha256"), frames: try clip.count("frames"),
        sampleRate: try clip.count("sampleRate"), channels: try clip.count("channels"),
        annotation: ClipAnnotation(
          title: try clip.optionalString("title"), mood: try clip.optionalString("mood"),
          tempo: try clip.optionalNumber("tempo_bpm"), licence: try clip.optionalString("licence"))),
      draw: try draw?.draw(), requested: try length("requested_ns"), gain: try number("gain_dB"),
      loudness: try optionalNumber("loudness_LUFS"), truePeak: try optionalNumber("truePeak_dBTP"),
      target: try loudnessTarget(),
      warnings: try strings("warnings"))
  }

  private func loudnessTarget() throws(FieldProblem) -> LoudnessTarget? {
    guard let target = try optionalNumber("target_LUFS") else { return nil }
    return LoudnessTarget(integrated: target, truePeakLimit: try number("truePeakLimit_dBTP"))
  }

  private func draw() throws(FieldProblem) -> Draw {
    Draw(
      purpose: try string("purpose"), candidates: try strings("candidates"), index: try count("index"),
      seed: try seed("seed"), generator: try string("generator"))
  }
}
