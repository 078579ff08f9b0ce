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
    case .trialOpened(let opening): JSONValue.members(of: opening)
    case .stepStarted(let step), .stepBegan(let step), .stepFinished(let step): ["step": .string(step)]
    case .stepEnded(let step, let reason): ["step": .string(step), "reason": .string(reason.rawValue)]
    case .clipChosen(let chosen): JSONValue.members(of: chosen)
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
      JSONValue.members(of: disturbance).merging(
        .known(["step": .string(step), "segment": segment.map { .integer($0) }])
      ) { _, new in new }
    case .soundFailed(let step, let segment, let reason):
      .known(["step": .string(step), "segment": segment.map { .integer($0) }, "reason": .string(reason)])
    case .toneStarted(let step, let tone, let onset):
      ["step": .string(step), "tone": .string(tone.rawValue)].merging(onset.members("onset")) { _, new in new }
    case .toneEnded(let step, let tone, let offset):
      ["step": .string(step), "tone": .string(tone.rawValue)].merging(offset.members("offset")) { _, new in new }
    case .toneDisturbed(let step, let tone, let disturbance):
      JSONValue.members(of: disturbance).merging(["step": .string(step), "tone": .string(tone.rawValue)]) { _, new in
        new
      }
    case .toneFailed(let step, let tone, let reason):
      ["step": .string(step), "tone": .string(tone.rawValue), "reason": .string(reason)]
    case .recorderStarted(let recorder, let step, let segment), .recorderStopped(let recorder, let step, let segment):
      ["recorder": .string(recorder), "step": .string(step), "segment": .integer(segment)]
    case .reading(let reading): reading.members
    case .sensorConnected(let sensor, let device):
      .known(["sensor": .string(sensor), "device": device.map(JSONValue.coded)])
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
    case .trialClosed(let closing): JSONValue.members(of: closing)
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
