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
    case "trial.open": return .trialOpened(try decoded())
    case "step.start": return .stepStarted(step: try string("step"))
    case "step.begin": return .stepBegan(step: try string("step"))
    case "step.finish": return .stepFinished(step: try string("step"))
    case "step.end": return .stepEnded(step: try string("step"), reason: try choice("reason"))
    case "clip.chosen": return .clipChosen(try decoded())
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
      return .soundDisturbed(step: try string("step"), segment: try optionalCount("segment"), try decoded())
    case "audio.failed":
      return .soundFailed(
        step: try string("step"), segment: try optionalCount("segment"), reason: try string("reason"))
    case "tone.start":
      return .toneStarted(step: try string("step"), tone: try choice("tone"), onset: try measured("onset_ns"))
    case "tone.end":
      return .toneEnded(step: try string("step"), tone: try choice("tone"), offset: try measured("offset_ns"))
    case "tone.disturbed": return .toneDisturbed(step: try string("step"), tone: try choice("tone"), try decoded())
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
    case "trial.close": return .trialClosed(try decoded())
    default: return .unknown(kind: kind)
    }
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

  private func decoded<Payload: Decodable>() throws(FieldProblem) -> Payload {
    do throws(JSONCodingError) {
      return try JSONValue.object(members).decoded()
    } catch {
      throw FieldProblem(reason: "\(error)")
    }
  }
}
