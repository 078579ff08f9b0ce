import Basics
import Quantities
import Recordings

/// Writes the lines of readings and samples, and reads them as they are written, quickly; whatever looks otherwise goes the
/// general way.
struct ReadingLine: LineCursor {
  let bytes: [UInt8]
  var position = 0

  /// The record of a line that has exactly the form in which readings are written; `nil` for every other line.
  static func record(_ bytes: [UInt8]) -> JournalRecord? {
    guard bytes.count > 10, bytes[2] == UInt8(ascii: "a"), bytes[3] == UInt8(ascii: "r"), bytes[4] == UInt8(ascii: "r")
    else { return nil }
    var line = ReadingLine(bytes: bytes)
    return line.record()
  }

  // A day holds 86,400 of these, a flood 100,000 a second: they are written without a tree.
  static func text(of reading: SensorReading, _ sequence: Int, _ time: Duration) -> [UInt8] {
    var text = JSONText(reserving: 160)
    text.append("{\"arrived_ns\":")
    text.append(reading.arrived.exactNanoseconds)
    if let contact = reading.contact { text.append(contact ? ",\"contact\":true" : ",\"contact\":false") }
    if let rate = reading.heartRate, rate.isFinite {
      text.append(",\"hr\":")
      text.append(rate)
    }
    text.append(",\"kind\":\"hr\"")
    if let payload = reading.payload {
      text.append(",\"payload\":")
      text.append(quoted: payload)
    }
    if let problem = reading.problem {
      text.append(",\"problem\":")
      text.append(quoted: problem.rawValue)
    }
    text.append(",\"rr_ms\":[")
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

  /// The line of a sample, with its newline.
  static func text(of sample: SensorSample, _ sequence: Int, _ time: Duration) -> [UInt8] {
    var text = JSONText(reserving: 200)
    text.append("{\"arrived_ns\":")
    text.append(sample.arrived.exactNanoseconds)
    text.append(",\"channel\":")
    text.append(quoted: sample.channel.identifier)
    if let contact = sample.contact { text.append(contact ? ",\"contact\":true" : ",\"contact\":false") }
    text.append(",\"kind\":\"sample\"")
    if let time = sample.senderTime, time.isFinite {
      text.append(",\"sender_s\":")
      text.append(time)
    }
    text.append(",\"sensor\":")
    text.append(quoted: sample.sensor)
    text.append(",\"seq\":")
    text.append(Int64(sequence))
    text.append(",\"t_ns\":")
    text.append(time.exactNanoseconds)
    text.append(",\"unit\":")
    text.append(quoted: sample.unit.symbol)
    if sample.value.isFinite {
      text.append(",\"value\":")
      text.append(sample.value)
    }
    text.append("}\n")
    return text.bytes
  }

  private mutating func sample(arrived: Int64) -> JournalRecord? {
    guard let name = string(), let channel = QuantityType(healthKit: name) else { return nil }
    var contact: Bool?
    if take(",\"contact\":") {
      contact = take("true")
      if contact == false, !take("false") { return nil }
    }
    guard take(",\"kind\":\"sample\"") else { return nil }
    var senderTime: Double?
    if take(",\"sender_s\":") {
      senderTime = number()
      guard let senderTime, Plausible.senderTimes.contains(senderTime) else { return nil }
    }
    guard take(",\"sensor\":"), let sensor = string(), take(",\"seq\":"), let sequence = integer(),
      take(",\"t_ns\":"), let time = integer(), take(",\"unit\":"), let symbol = string(),
      let unit = try? Unit(symbol), unit.isCompatible(with: channel.canonicalUnit), take(",\"value\":"),
      let value = number(), Plausible.values.contains(value), take("}"), position == bytes.count,
      Plausible.counts.contains(Int(sequence)), Plausible.nanoseconds.contains(Int(time)),
      Plausible.nanoseconds.contains(Int(arrived))
    else { return nil }
    return JournalRecord(
      sequence: Int(sequence), time: .nanoseconds(time),
      event: .sample(
        SensorSample(
          sensor: sensor, channel: channel, value: value, unit: unit, contact: contact,
          arrived: .nanoseconds(arrived), senderTime: senderTime)))
  }

  private mutating func record() -> JournalRecord? {
    guard take("{\"arrived_ns\":"), let arrived = integer() else { return nil }
    if take(",\"channel\":") { return sample(arrived: arrived) }
    var contact: Bool?
    if take(",\"contact\":") {
      contact = take("true")
      if contact == false, !take("false") { return nil }
    }
    var rate: Double?
    if take(",\"hr\":") {
      rate = number()
      guard let rate, Plausible.heartRates.contains(rate) else { return nil }
    }
    guard take(",\"kind\":\"hr\"") else { return nil }
    var payload: String?
    if take(",\"payload\":") {
      payload = string()
      if payload == nil { return nil }
    }
    var problem: SignalProblem?
    if take(",\"problem\":") {
      problem = string().flatMap(SignalProblem.init)
      if problem == nil { return nil }
    }
    guard take(",\"rr_ms\":[") else { return nil }
    var intervals: [Double] = []
    while !take("]") {
      if !intervals.isEmpty, !take(",") { return nil }
      guard let interval = number(), Plausible.intervals.contains(interval) else { return nil }
      intervals.append(interval)
    }
    var senderTime: Double?
    if take(",\"sender_s\":") {
      senderTime = number()
      guard let senderTime, Plausible.senderTimes.contains(senderTime) else { return nil }
    }
    guard take(",\"sensor\":"), let sensor = string(), take(",\"seq\":"), let sequence = integer(),
      take(",\"t_ns\":"), let time = integer(), take("}"), position == bytes.count,
      Plausible.counts.contains(Int(sequence)), Plausible.nanoseconds.contains(Int(time)),
      Plausible.nanoseconds.contains(Int(arrived))
    else { return nil }
    return JournalRecord(
      sequence: Int(sequence), time: .nanoseconds(time),
      event: .reading(
        SensorReading(
          sensor: sensor, heartRate: rate, rrIntervals: intervals, contact: contact, problem: problem,
          arrived: .nanoseconds(arrived), senderTime: senderTime, payload: payload)))
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }
}
