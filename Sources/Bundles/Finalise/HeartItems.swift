import JSON
import Quantities
import Study

/// Writes samples as ResearchKit's heart files hold them, one item a line, with the station's own members beside.
struct HeartItems {
  private let zero: WallTime
  private let constants: [Constants]
  private var isFirst = true

  // What is the same in every item of one recorder.
  private struct Constants {
    let recorder: String
    let source: String
    let step: String
    let typeAndUnit: String
    let carriesIntervals: Bool
  }

  init(_ recordings: [Recording], zero: WallTime) {
    self.zero = zero
    constants = recordings.map { recording in
      let configuration = recording.recorder.configuration
      func text(_ string: String) -> String { JSONValue.string(string).text() }
      return Constants(
        recorder: ",\"recorder\":\(text(configuration.identifier))",
        source: ",\"source\":\(text(recording.source.name)),\"startDate\":\"",
        step: "\",\"step\":\(text(recording.recorder.step)),\"t_ns\":",
        typeAndUnit: ",\"type\":\(text(configuration.quantityType.healthKitIdentifier)),"
          + "\"unit\":\(text(configuration.unit.symbol)),\"value\":",
        carriesIntervals: configuration.quantityType == .heartRate)
    }
  }

  /// What stands before the first item.
  static let opening = Array("{\"items\":[".utf8)

  /// What stands after the last item.
  var closing: [UInt8] { Array((isFirst ? "]}\n" : "\n]}\n").utf8) }

  /// An item, with the comma that separates it from the one before.
  ///
  /// - Parameters:
  ///   - sample: the sample.
  ///   - reading: the reading that it is part of.
  ///   - sequence: the number of the reading's record in the journal.
  ///   - recording: the index of its recording.
  /// - Returns: the text.
  mutating func item(_ sample: Recording.Sample, of reading: SensorReading, sequence: Int, recording: Int) -> [UInt8] {
    let constants = constants[recording]
    var text = TextBytes(reserving: 400)
    text.append(isFirst ? "\n{\"arrived_ns\":" : ",\n{\"arrived_ns\":")
    isFirst = false
    text.append(reading.arrived.exactNanoseconds)
    if let contact = reading.contact { text.append(contact ? ",\"contact\":true" : ",\"contact\":false") }
    let end = zero.advanced(by: sample.end).description
    text.append(",\"endDate\":\"")
    text.append(end)
    text.append(sample.isLate ? "\",\"late\":true" : "\"")
    text.append(constants.recorder)
    if constants.carriesIntervals, !reading.rrIntervals.isEmpty {
      text.append(",\"rr_ms\":[")
      for (index, interval) in reading.rrIntervals.enumerated() {
        if index > 0 { text.append(",") }
        text.append(interval)
      }
      text.append("]")
    }
    if let time = reading.senderTime, time.isFinite {
      text.append(",\"sender_s\":")
      text.append(time)
    }
    text.append(",\"seq\":")
    text.append(Int64(sequence))
    text.append(constants.source)
    text.append(sample.start == sample.end ? end : zero.advanced(by: sample.start).description)
    text.append(constants.step)
    text.append(sample.end.exactNanoseconds)
    text.append(constants.typeAndUnit)
    text.append(sample.value)
    text.append("}")
    return text.bytes
  }
}
