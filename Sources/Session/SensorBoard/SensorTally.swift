import Basics
import Quantities
import Sensors

/// The summary of what one sensor has sent so far.
struct SensorTally: Sendable {
  let name: String

  private var connection = SensorHub.Connection.unanswered
  private var device: String?
  private var readings = 0
  private var intervals = 0
  private var dropped = 0
  private var lastRate: Double?
  /// The newest value of each other quantity, and how many there were.
  private var values: [(sample: ChannelSample, count: Int)] = []
  private var contact: Bool?
  private var problem: SignalProblem?
  private var unreadable = 0
  private var firstFault: (line: Int, reason: String)?
  private var lastFault: (line: Int, reason: String)?
  private var notes: [String] = []
  private var hasPlausible = false
  private var implausible: Double?
  /// The delay from a sample's time, as this station determines it, to its arrival.
  private var delay = Spread()
  /// The difference between the sender's clock and ours, if the sender gives the time since 1970.
  private var lag = Spread()

  /// The mean, minimum and maximum of some numbers.
  private struct Spread: Sendable {
    private(set) var count = 0
    private(set) var least = Double.infinity
    private(set) var most = -Double.infinity
    private var sum = 0.0

    var mean: Double? { count > 0 ? sum / Double(count) : nil }

    mutating func add(_ number: Double) {
      count += 1
      sum += number
      least = min(least, number)
      most = max(most, number)
    }

    var json: JSONValue {
      guard let mean else { return .null }
      return ["mean": .number(mean), "min": .number(least), "max": .number(most)]
    }
  }

  /// Whether it sends lines of text, of which some may not be read.
  private let readsLines: Bool
  /// Whether it sent a heart rate or an interval.
  private var isOfHeart: Bool { lastRate != nil || intervals > 0 }

  init(_ name: String) {
    self.name = name
    readsLines = (try? SensorAddress(name))?.sendsLines ?? false
  }

  /// Whether it sent at least one plausible sample.
  var isGood: Bool { hasPlausible }

  /// Adds an event; `zero` is one reading of both clocks.
  mutating func take(_ event: SensorEvent, since zero: WallReading) {
    switch event {
    case .connected(let device):
      connection = .connected
      self.device = device?.name ?? self.device
    case .readings(let batch): for reading in batch { take(reading, zero) }
    case .waveform(let frames): take(frames)
    case .unreadable(let line, let reason): fault(1, line, reason)
    case .skipped(let count, let line, let reason): fault(count, line, reason)
    case .overflowed(let count): dropped += count
    case .clockMeasured: break
    case .noted(let text): if notes.count < 20, !notes.contains(text) { notes.append(text) }
    case .lost(let reason): connection = .lost(reason)
    case .ended(let reason): connection = .ended(reason)
    }
  }

  private mutating func take(_ reading: HeartReading, _ zero: WallReading) {
    readings += 1
    intervals += reading.rrIntervals.count
    for sample in reading.samples { take(sample) }
    lastRate = reading.heartRate ?? reading.rrIntervals.last.map { 60_000 / $0 } ?? lastRate
    contact = reading.contact ?? contact
    problem = reading.isOfHeart ? reading.problem : problem
    if reading.contact != false {
      if let rate = reading.heartRate {
        note(rate, QuantityType.heartRate.isPlausible(rate, in: .countPerMinute))
      }
      for interval in reading.rrIntervals {
        note(interval, QuantityType.rrInterval.isPlausible(interval, in: .millisecond))
      }
      for sample in reading.samples { note(sample.value, sample.isPlausible) }
    }
    delay.add(reading.happened.duration(to: reading.arrived).milliseconds)
    // Only a clock that counts from 1970 can be compared with ours.
    if let time = reading.senderTime, (1e9...4e9).contains(time) {
      let arrived = zero.wall.advanced(by: zero.moment.duration(to: reading.arrived))
      lag.add(Double(arrived.microseconds) / 1000 - time * 1000)
    }
  }

  private mutating func note(_ value: Double, _ isPlausible: Bool) {
    if isPlausible { hasPlausible = true } else { implausible = value }
  }

  private mutating func take(_ sample: ChannelSample) {
    if let place = values.firstIndex(where: { $0.sample.type == sample.type }) {
      values[place] = (sample, values[place].count + 1)
    } else {
      values.append((sample, 1))
    }
  }

  private mutating func take(_ frames: WaveformFrames) {
    readings += frames.count
    let (format, last) = (frames.format, frames.values[(frames.count - 1) * frames.format.channels.count])
    let sample = ChannelSample(format.type, Double(last), format.unit, happened: frames.end)
    if let place = values.firstIndex(where: { $0.sample.type == format.type }) {
      values[place] = (sample, values[place].count + frames.count)
    } else {
      values.append((sample, frames.count))
    }
    note(sample.value, sample.value.isFinite)
    delay.add(frames.end.duration(to: frames.arrived).milliseconds)
  }

  private mutating func fault(_ count: Int, _ line: Int, _ reason: String) {
    unreadable += count
    firstFault = firstFault ?? (line, reason)
    lastFault = (line, reason)
  }

  // MARK: For people

  /// The lines that describe an event.
  static func lines(of event: SensorEvent) -> [String] {
    switch event {
    case .connected(let device): ["connected" + (device?.name.map { " to “\($0)”" } ?? "")]
    case .readings(let batch): batch.prefix(SensorBoard.linesASecond + 1).map(line)
    case .waveform(let frames): [line(frames)]
    case .unreadable(let line, let reason): ["line \(line) not read: \(reason)"]
    case .skipped(let count, let line, let reason): ["\(count.counted("line")) not read, from line \(line): \(reason)"]
    case .overflowed(let count): ["\(count.counted("sample")) dropped: they arrived faster than they could be read"]
    case .clockMeasured(let offset, let uncertainty):
      ["the sender's clock: \(offset.milliseconds.fixed(3)) ± \(uncertainty.milliseconds.fixed(3)) ms are added"]
    case .noted(let text): [text]
    case .lost(let reason): ["connection lost: \(reason)"]
    case .ended(let reason): ["ended: \(reason)"]
    }
  }

  /// The number of lines for an event.
  static func size(of event: SensorEvent) -> Int {
    guard case .readings(let batch) = event else { return 1 }
    return batch.count
  }

  private static func line(_ reading: HeartReading) -> String {
    var parts: [String] = []
    if let rate = reading.heartRate { parts.append("\(number(rate)) /min") }
    if !reading.rrIntervals.isEmpty {
      parts.append("RR " + reading.rrIntervals.prefix(8).map { number($0) }.joined(separator: " ") + " ms")
    }
    parts += reading.samples.map(text)
    if let problem = reading.problem { parts.append(problem.words) }
    if let contact = reading.contact, reading.problem == nil {
      parts.append(contact ? "skin contact" : "no skin contact")
    }
    let delay = reading.happened.duration(to: reading.arrived).milliseconds
    if reading.senderTime != nil || delay >= 0.5 { parts.append("delay \(delay.fixed(0)) ms") }
    return parts.joined(separator: ", ")
  }

  /// `skinConductance 2.31 mcS`.
  private static func text(_ sample: ChannelSample) -> String {
    "\(sample.type.channelName) \(sample.unit.text(of: sample.value))"
  }

  private static func line(_ frames: WaveformFrames) -> String {
    let format = frames.format
    let finite = frames.values.lazy.filter(\.isFinite)
    let range = (finite.min() ?? 0, finite.max() ?? 0)
    return "\(frames.count.counted("frame")) of \(format.type.channelName), \(Double(range.0).brief) to "
      + "\(Double(range.1).brief) \(format.unit), \(format.channels.count.counted("channel")) at \(number(format.rate)) Hz"
  }

  private static func number(_ number: Double) -> String {
    number == number.rounded() && number.magnitude < 1e9 ? "\(Int(number))" : number.fixed(1)
  }

  private func perSecond(_ length: Duration) -> Double { Double(readings) / max(length.seconds, 0.001) }

  /// Its status in a few words; the brief form has the connection problem or the heart rate, and unread lines.
  func status(after length: Duration, isBrief: Bool = false) -> String {
    var parts: [String] = []
    if let trouble { parts.append(trouble) }
    if !isBrief, trouble == nil { parts.append("\(perSecond(length).fixed(1)) /s") }
    if let lastRate, !isBrief || trouble == nil { parts.append("\(lastRate.fixed(0)) /min") }
    parts += values.map { Self.text($0.sample) }
    if let problem { parts.append(problem.words) }
    if let contact, problem == nil, !isBrief || !contact { parts.append(contact ? "contact" : "no contact") }
    if !isBrief, let mean = delay.mean, mean >= 0 { parts.append("delay \(mean.fixed(0)) ms") }
    if unreadable > 0 { parts.append("\(unreadable) not read") }
    return parts.joined(separator: ", ")
  }

  // The problem with its connection, without the reason, which was printed when it occurred.
  private var trouble: String? {
    switch connection {
    case .unanswered: "no answer"
    case .connected: readings == 0 ? "no data" : nil
    case .lost: "connection lost"
    case .ended: "ended"
    }
  }

  // Why none of its samples is plausible.
  private var shortfall: String {
    if let implausible { return "implausible value \(Self.number(implausible))" }
    if let problem { return "\(problem.words); \(problem.advice)" }
    if contact == false { return "no skin contact" }
    return readings == 0 ? "no data received" : "no heart rate and no RR interval received"
  }

  // The state of its connection, unless it is connected.
  private var connectionWords: String? {
    switch connection {
    case .unanswered: "no answer"
    case .connected: nil
    case .lost(let reason): "connection lost: \(reason)"
    case .ended(let reason): "ended: \(reason)"
    }
  }

  /// The final summary of what it sent.
  func summary(after length: Duration) -> [String] {
    var parts = ["no samples in \(length.seconds.fixed(1)) s"]
    if readings > 0 {
      parts = [
        "\(readings.counted("sample")) in \(length.seconds.fixed(1)) s (\(perSecond(length).fixed(2)) /s)"
      ]
      if isOfHeart { parts.append(intervals.counted("RR interval")) }
      parts += values.map { "\($0.count.counted("value")) of \($0.sample.type.channelName)" }
    }
    if let mean = delay.mean {
      parts.append(
        mean < 0
          ? "delivered \((-mean).fixed(1)) ms before their time on average, as by the monitor of a sink"
          : "delay \(mean.fixed(1)) ms on average, \(delay.most.fixed(1)) ms at most")
    }
    if let mean = lag.mean { parts.append("sent \(mean.fixed(1)) ms before arrival by the sender's clock") }
    if let contact { parts.append(contact ? "skin contact" : "no skin contact") }
    if unreadable > 0 {
      parts.append("\(unreadable.counted("line")) not read")
    } else if readings > 0, readsLines {
      parts.append("every line read")
    }
    if dropped > 0 { parts.append("\(dropped.counted("sample")) dropped") }
    var lines = ["\(name): " + parts.joined(separator: "; ")]
    if let connectionWords { lines.append("  \(connectionWords)") }
    if let firstFault { lines.append("  first line not read: line \(firstFault.line): \(firstFault.reason)") }
    if let lastFault, lastFault.line != firstFault?.line {
      lines.append("  last line not read: line \(lastFault.line): \(lastFault.reason)")
    }
    lines += notes.map { "  note: \($0)" }
    if !hasPlausible { lines.append("  no plausible sample: \(shortfall)") }
    return lines
  }

  // MARK: For programs

  /// The final summary as JSON.
  func json(after length: Duration) -> JSONValue {
    func fault(_ fault: (line: Int, reason: String)?) -> JSONValue {
      guard let fault else { return .null }
      return ["line": .integer(fault.line), "reason": .string(fault.reason)]
    }
    return [
      "sensor": .string(name), "connection": .string(code), "device": .text(device),
      "reason": .text(reason), "samples": .integer(readings),
      "samplesPerSecond": .number(perSecond(length)), "rrIntervals": .integer(intervals),
      "heartRate": .finite(lastRate),
      "channels": .array(
        values.map { value in
          [
            "quantityType": .string(value.sample.type.identifier), "samples": .integer(value.count),
            "last": .finite(value.sample.value), "unit": .string(value.sample.unit.symbol),
          ]
        }), "contact": contact.map { .bool($0) } ?? .null,
      "delay_ms": delay.json, "senderClockDelay_ms": lag.json, "dropped": .integer(dropped),
      "unreadableLines": .integer(unreadable), "firstUnreadable": fault(firstFault), "lastUnreadable": fault(lastFault),
      "problem": .text(problem?.rawValue),
      "notes": .array(notes.map { .string($0) }), "isRecordable": .bool(hasPlausible),
    ]
  }

  private var code: String {
    switch connection {
    case .unanswered: "unanswered"
    case .connected: "connected"
    case .lost: "lost"
    case .ended: "ended"
    }
  }

  private var reason: String? {
    switch connection {
    case .unanswered, .connected: nil
    case .lost(let reason), .ended(let reason): reason
    }
  }
}
