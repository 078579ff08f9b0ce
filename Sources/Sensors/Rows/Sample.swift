import Basics
import Quantities
import Recordings

/// The values of one line of text.
struct Sample: Hashable, Sendable {
  /// The plausible rates, in beats per minute; others are faults.
  static let rates = QuantityType.heartRate.plausibleInDefaultUnit ?? 0...(.infinity)
  /// The plausible intervals, in milliseconds; others are faults.
  static let intervals = QuantityType.rrInterval.plausibleInDefaultUnit ?? 0...(.infinity)

  /// A value of a channel that carries no beat.
  struct Value: Hashable, Sendable {
    let channel: Channel
    let value: Double
  }

  /// Consecutive frames of a waveform.
  struct Waveform: Hashable, Sendable {
    let channel: Channel
    /// The number of values in a frame.
    let width: Int
    /// Frame by frame.
    let values: [Float]
  }

  /// Beats per minute.
  var heartRate: Double?
  /// Milliseconds, oldest first.
  var rrIntervals: [Double] = []
  /// Whether the sensor has skin contact.
  var contact: Bool?
  /// The sender's own time in seconds.
  var time: Double?
  /// The values of other channels, each quantity at most once.
  var values: [Value] = []
  /// The frames of waveforms, each quantity at most once.
  var waveforms: [Waveform] = []
  /// Frames per second.
  var samplingRate: Double?

  /// Takes a channel's value; one of a heart channel becomes the rate or an interval.
  ///
  /// - Returns: why it cannot be taken; `nil` on success.
  mutating func take(_ value: Double, of channel: Channel) -> String? {
    guard !channel.type.isWaveform else {
      return "\(channel.type.channelName) is a waveform; expected an array of numbers, with “samplingRate”"
    }
    switch channel.type {
    case .heartRate:
      guard heartRate == nil else { return "two heart rates" }
      heartRate = channel.unit.convert(value, to: .countPerMinute)
    case .rrInterval: rrIntervals.append(channel.unit.convert(value, to: .millisecond))
    default:
      guard !values.contains(where: { $0.channel.type == channel.type }) else {
        return "two values of \(channel.type.channelName)"
      }
      values.append(Value(channel: channel, value: value))
    }
    return nil
  }

  /// Takes frames of a waveform.
  ///
  /// - Returns: why they cannot be taken; `nil` on success.
  mutating func take(_ values: [Float], width: Int, of channel: Channel) -> String? {
    let name = channel.type.channelName
    guard channel.type.isWaveform else { return "“\(name)” is an array; expected a number in \(channel.unit)" }
    guard !waveforms.contains(where: { $0.channel.type == channel.type }) else { return "two arrays of \(name)" }
    waveforms.append(Waveform(channel: channel, width: width, values: values))
    return nil
  }

  /// Validates the values; returns why the first implausible one is, or `nil`.
  ///
  /// Many bridges send a rate of 0 without contact when there is no rate: it is removed.
  mutating func check() -> String? {
    if heartRate == 0, contact == false { heartRate = nil }
    if let heartRate, !Self.rates.contains(heartRate) {
      return "hr \(plain(heartRate)) is outside \(Self.text(Self.rates))"
    }
    for interval in rrIntervals where !Self.intervals.contains(interval) {
      return "rr \(plain(interval)) is outside \(Self.text(Self.intervals)) ms"
    }
    if let time, time.magnitude > 1e12 { return "the time \(plain(time)) is not a number of seconds" }
    if let problem = waveformProblem { return problem }
    if let value = values.first(where: { !$0.isPlausible }) { return value.problem }
    return isEmpty ? "neither hr nor rr nor contact nor another channel" : nil
  }

  private var waveformProblem: String? {
    guard let name = waveforms.first?.channel.type.channelName else { return nil }
    guard let samplingRate else { return "\(name) without “samplingRate”, the number of its values a second" }
    let rates = WaveformFormat.rates
    return rates.contains(samplingRate)
      ? nil : "samplingRate \(plain(samplingRate)) is outside \(Self.text(rates)) Hz"
  }

  /// What is left without the implausible values; `nil` if that is nothing, or if the time is no time.
  ///
  /// Implausible intervals stay, because they separate the others; ``Quantities/HeartReading/parts`` leaves them out.
  var plausiblePart: Sample? {
    if let time, time.magnitude > 1e12 { return nil }
    var part = self
    if let heartRate, !Self.rates.contains(heartRate) { part.heartRate = nil }
    if !rrIntervals.contains(where: Self.intervals.contains) { part.rrIntervals = [] }
    part.values.removeAll { !$0.isPlausible }
    if waveformProblem != nil { part.waveforms = [] }
    return part.isEmpty ? nil : part
  }

  /// Whether it holds nothing but frames of waveforms.
  var isOfWaveforms: Bool { hasNoReading && !waveforms.isEmpty }

  private var hasNoReading: Bool { heartRate == nil && rrIntervals.isEmpty && contact == nil && values.isEmpty }
  private var isEmpty: Bool { hasNoReading && waveforms.isEmpty }

  fileprivate static func text(_ range: ClosedRange<Double>) -> String {
    "\(plain(range.lowerBound))…\(plain(range.upperBound))"
  }
}

extension Sample.Value {
  /// Whether the value is plausible for its quantity.
  var isPlausible: Bool {
    channel.type.isPlausible(value, in: channel.unit)
  }

  // The limits are in the quantity's unit for display.
  fileprivate var problem: String {
    let type = channel.type
    let limits = type.plausibleInDefaultUnit.map { " is outside \(Sample.text($0)) \(type.defaultUnit)" } ?? ""
    return "\(type.channelName) \(plain(value)) \(channel.unit)\(limits)"
  }
}

private func plain(_ number: Double) -> String {
  let text = "\(number)"
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

extension HeartReading {
  /// The reading without its implausible intervals: a part for each run of plausible ones, at the times that the
  /// intervals between them give.
  ///
  /// What comes before an interval that no heart can have is left out, since its time is unknown.
  var parts: [HeartReading] {
    guard !rrIntervals.allSatisfy(Sample.intervals.contains) else { return [self] }
    // The newest first; the rate, the contact and the samples belong to the last beat.
    var parts = [self]
    parts[0].rrIntervals = []
    var isOpen = true
    var end = happened
    for interval in rrIntervals.reversed() {
      if Sample.intervals.contains(interval) {
        if !isOpen {
          parts.append(
            HeartReading(heartRate: nil, contact: contact, happened: end, arrived: arrived, senderTime: senderTime))
          isOpen = true
        }
        parts[parts.count - 1].rrIntervals.insert(interval, at: 0)
      } else {
        guard HeartInterval.possible.contains(interval) else { break }
        isOpen = false
      }
      end = end.advanced(by: Duration(milliseconds: -interval))
    }
    return parts.reversed()
  }
}

/// The result of parsing a line.
enum Row: Hashable, Sendable {
  case sample(Sample)
  /// A sample of which an implausible value is left out, with the reason.
  case partly(Sample, String)
  /// A blank line, a comment or a header.
  case nothing
  /// None of these, with the reason.
  case unreadable(String)

  init(checking sample: consuming Sample) {
    guard let problem = sample.check() else {
      self = .sample(sample)
      return
    }
    self = sample.plausiblePart.map { .partly($0, problem) } ?? .unreadable(problem)
  }
}
