import Basics
import Quantities
import Study

extension JournalRecord {
  /// The record as one line of JSON, keys sorted, with its newline.
  ///
  /// Times are whole nanoseconds within ±2^53 (104 days); a number that is not finite is left out.
  package func line() -> [UInt8] {
    if case .reading(let reading) = event { return line(of: reading) }
    var members = event.members
    members["kind"] = .string(event.kind)
    members["seq"] = .integer(sequence)
    members["t_ns"] = .nanoseconds(time)
    return JSONValue.object(members).encoded() + [UInt8(ascii: "\n")]
  }

  // A day holds 86,400 of these, a flood 100,000 a second: they are written without a tree.
  private func line(of reading: SensorReading) -> [UInt8] {
    var text = JSONText(reserving: 160)
    text.append("{\"arrived_ns\":")
    text.append(reading.arrived.exactNanoseconds)
    if let contact = reading.contact { text.append(contact ? ",\"contact\":true" : ",\"contact\":false") }
    if let rate = reading.heartRate, rate.isFinite {
      text.append(",\"hr\":")
      text.append(rate)
    }
    text.append(",\"kind\":\"hr\",\"rr_ms\":[")
    var isFirst = true
    for interval in reading.rrIntervals where interval.isFinite {
      if !isFirst { text.append(",") }
      text.append(interval)
      isFirst = false
    }
    text.append("]")
    if let time = reading.senderTime, time.isFinite {
      text.append(",\"sender_s\":")
      text.append(time)
    }
    text.append(",\"sensor\":")
    text.append(quoted: reading.sensor)
    text.append(",\"seq\":")
    text.append(Int64(sequence))
    text.append(",\"t_ns\":")
    text.append(time.exactNanoseconds)
    text.append("}\n")
    return text.bytes
  }
}

extension JournalEvent {
  fileprivate var members: [String: JSONValue] {
    switch self {
    case .trialOpened(let opening): opening.members
    case .stepStarted(let step), .stepBegan(let step), .stepFinished(let step): ["step": .string(step)]
    case .stepEnded(let step, let reason): ["step": .string(step), "reason": .string(reason.rawValue)]
    case .clipChosen(let chosen): chosen.members
    case .soundScheduled(let step, let segment, let moment, let frames):
      [
        "step": .string(step), "segment": .integer(segment), "at_ns": .nanoseconds(moment), "frames": .integer(frames),
      ]
    case .soundStarted(let step, let segment, let onset):
      ["step": .string(step), "segment": .integer(segment)].merging(onset.members("onset")) { _, new in new }
    case .soundEnded(let step, let segment, let offset, let frames):
      ["step": .string(step), "segment": .integer(segment), "frames": .integer(frames)]
        .merging(offset.members("offset")) { _, new in new }
    case .soundDisturbed(let step, let segment, let disturbance):
      .known([
        "step": .string(step), "segment": segment.map { .integer($0) }, "what": .string(disturbance.what),
        "detail": disturbance.detail.map(JSONValue.string),
      ])
    case .soundFailed(let step, let segment, let reason):
      .known(["step": .string(step), "segment": segment.map { .integer($0) }, "reason": .string(reason)])
    case .toneStarted(let step, let tone, let onset):
      ["step": .string(step), "tone": .string(tone.rawValue)].merging(onset.members("onset")) { _, new in new }
    case .toneEnded(let step, let tone, let offset):
      ["step": .string(step), "tone": .string(tone.rawValue)].merging(offset.members("offset")) { _, new in new }
    case .toneDisturbed(let step, let tone, let disturbance):
      .known([
        "step": .string(step), "tone": .string(tone.rawValue), "what": .string(disturbance.what),
        "detail": disturbance.detail.map(JSONValue.string),
      ])
    case .toneFailed(let step, let tone, let reason):
      ["step": .string(step), "tone": .string(tone.rawValue), "reason": .string(reason)]
    case .recorderStarted(let recorder, let step, let segment), .recorderStopped(let recorder, let step, let segment):
      ["recorder": .string(recorder), "step": .string(step), "segment": .integer(segment)]
    case .reading(let reading): reading.members
    case .sensorConnected(let sensor, let device):
      .known(["sensor": .string(sensor), "device": device.map { .object($0.members) }])
    case .sensorLost(let sensor, let reason, let isFinal):
      ["sensor": .string(sensor), "reason": .string(reason), "final": .bool(isFinal)]
    case .linesSkipped(let sensor, let count, let firstLine, let reason):
      [
        "sensor": .string(sensor), "count": .integer(count), "firstLine": .integer(firstLine),
        "reason": .string(reason),
      ]
    case .readingsDropped(let sensor, let count): ["sensor": .string(sensor), "count": .integer(count)]
    case .sensorNoted(let sensor, let text): ["sensor": .string(sensor), "text": .string(text)]
    case .suspended, .resumed, .unknown: [:]
    case .signalled(let step, let what, let text):
      .known(["step": .string(step), "what": .string(what), "text": text.map(JSONValue.string)])
    case .note(let text): ["text": .string(text)]
    case .trialClosed(let closing):
      .known([
        "outcome": .string(closing.outcome.rawValue), "reason": closing.reason.map(JSONValue.string),
        "wall": closing.calendar.map { .string($0.wall.description) },
        "read_ns": closing.calendar.map { .nanoseconds($0.time) },
        "uncertainty_ns": closing.calendar.map { .nanoseconds($0.uncertainty) },
        "synchronized": closing.calendar?.isSynchronized.map(JSONValue.bool),
      ])
    }
  }
}

extension MeasuredTime {
  fileprivate func members(_ name: String) -> [String: JSONValue] {
    ["\(name)_ns": .nanoseconds(time), "uncertainty_ns": .nanoseconds(uncertainty)]
  }
}

extension SensorReading {
  /// The members of its line, apart from those of every line.
  var members: [String: JSONValue] {
    .known([
      "arrived_ns": .nanoseconds(arrived), "contact": contact.map(JSONValue.bool),
      "hr": heartRate.flatMap(JSONValue.finite),
      "rr_ms": .array(rrIntervals.compactMap(JSONValue.finite)),
      "sender_s": senderTime.flatMap(JSONValue.finite), "sensor": .string(sensor),
    ])
  }
}

extension TrialOpening {
  fileprivate var members: [String: JSONValue] {
    .known([
      "trial": .string(trial), "task": .string(task), "taskVersion": .string(taskVersion),
      "protocolSha256": .string(protocolSHA256), "participant": .string(participant), "session": .string(session),
      "seed": .seed(seed), "unattended": .bool(isUnattended), "verdict": .object(thresholds.members),
      "zero": .object(
        .known([
          "wall": .string(zero.wall.description), "uncertainty_ns": .nanoseconds(zero.uncertainty),
          "synchronized": zero.isSynchronized.map(JSONValue.bool),
        ])),
      "station": .object(station.members),
      "speaker": speaker.map { .object($0.members) },
      "recorders": .array(recorders.map { .object($0.members) }),
      "sensors": .object(sensors.mapValues { .object($0.members) }),
    ])
  }
}

extension StationFacts {
  /// Its members, in the journal and in the result.
  var members: [String: JSONValue] {
    .known([
      "identifier": .string(identifier), "version": .string(version), "system": .string(system),
      "timeZone": timeZone.map(JSONValue.string),
    ])
  }
}

extension RecorderConfiguration {
  /// The motion context's name, where the protocol says one.
  var knownMotion: String? { motionContext == .notSet ? nil : motionContext.name }
}

extension TrialRecorder {
  fileprivate var members: [String: JSONValue] {
    .known([
      "identifier": .string(configuration.identifier), "step": .string(step),
      "quantityType": .string(configuration.quantityType.identifier), "unit": .string(configuration.unit.symbol),
      "settle_ns": .nanoseconds(configuration.settle),
      "motionContext": configuration.knownMotion.map(JSONValue.string),
    ])
  }
}

extension SpeakerFacts {
  fileprivate var members: [String: JSONValue] {
    .known([
      "kind": .string(kind), "server": server.map(JSONValue.string), "sink": sink.map(JSONValue.string),
      "sinkRate": sinkRate.map { .integer($0) }, "audible": .bool(isAudible),
      "timing": timing.map { .object($0.members) }, "outputLatency_ns": .nanoseconds(outputLatency),
      "volume": volume.map { .object($0.members) },
      "named": isNamed.map(JSONValue.bool),
    ])
  }
}

extension SpeakerTiming {
  /// Its members, in the journal and in the result.
  var members: [String: JSONValue] {
    ["basis": .string(basis.rawValue), "granularity_ns": .nanoseconds(granularity)]
  }
}

extension SpeakerVolume {
  /// Its members, in the journal and in the result.
  var members: [String: JSONValue] {
    [
      "sink_percent": .array(sink.compactMap(JSONValue.finite)), "sinkMuted": .bool(isSinkMuted),
      "stream_percent": .array(stream.compactMap(JSONValue.finite)), "streamMuted": .bool(isStreamMuted),
    ]
  }
}

extension SensorSource {
  fileprivate var members: [String: JSONValue] {
    .known([
      "name": .string(name), "latency_ns": .nanoseconds(latency), "device": device.map { .object($0.members) },
      "location": location.map { .string($0.name) },
    ])
  }
}

extension Device {
  /// What is known of the device, in HealthKit's words.
  var members: [String: JSONValue] {
    .known([
      "name": name.map(JSONValue.string), "manufacturer": manufacturer.map(JSONValue.string),
      "model": model.map(JSONValue.string), "hardwareVersion": hardwareVersion.map(JSONValue.string),
      "firmwareVersion": firmwareVersion.map(JSONValue.string),
      "softwareVersion": softwareVersion.map(JSONValue.string),
      "localIdentifier": localIdentifier.map(JSONValue.string),
      "udiDeviceIdentifier": udiDeviceIdentifier.map(JSONValue.string),
    ])
  }
}

extension ChosenClip {
  fileprivate var members: [String: JSONValue] {
    .known([
      "step": .string(step),
      "clip": .object(
        .known([
          "name": .string(clip.name), "path": .string(clip.path), "bytes": .integer(clip.bytes),
          "sha256": .string(clip.sha256), "frames": .integer(clip.frames), "sampleRate": .integer(clip.sampleRate),
          "channels": .integer(clip.channels), "title": clip.annotation.title.map(JSONValue.string),
          "mood": clip.annotation.mood.map(JSONValue.string),
          "tempo_bpm": clip.annotation.tempo.flatMap(JSONValue.finite),
          "licence": clip.annotation.licence.map(JSONValue.string),
        ])),
      "draw": draw.map { .object($0.members) }, "requested_ns": .nanoseconds(requested),
      "gain_dB": .finite(gain) ?? 0, "loudness_LUFS": loudness.flatMap(JSONValue.finite),
      "truePeak_dBTP": truePeak.flatMap(JSONValue.finite),
      "target_LUFS": (target?.integrated).flatMap(JSONValue.finite),
      "truePeakLimit_dBTP": (target?.truePeakLimit).flatMap(JSONValue.finite),
      "warnings": .array(warnings.map(JSONValue.string)),
    ])
  }
}

extension Draw {
  fileprivate var members: [String: JSONValue] {
    [
      "purpose": .string(purpose), "candidates": .array(candidates.map(JSONValue.string)), "index": .integer(index),
      "seed": .seed(seed), "generator": .string(generator),
    ]
  }
}
