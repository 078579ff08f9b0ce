import Basics
import Quantities

/// Decodes the lines of an Arduino with a PulseSensor, of its sketches for the serial plotter and for the visualizer.
///
/// The plotter's lines are `BPM,IBI,Signal` and repeat rate and interval until the next beat; the visualizer's are
/// `S<signal>`, and on each beat `B<rate>` and `Q<interval>`, with `a`, `A` and `M` for the first of several sensors. Of
/// several sensors the first is read.
struct PulseSensorDecoder: DeviceDecoder {
  private let latency: Duration
  private let rate: Double
  private let first: Int
  private var splitter: LineSplitter
  private var train: FrameTrain
  private var chain: BeatChain
  private var beats = PlotterBeats()
  private var heartRate: Double?
  /// Whether the device has said that there is no pulse, since the last beat.
  private var hasNoPulse = false
  private var hasNotedOthers = false

  private(set) var unitCount = 0

  init(rate: Double, latency: Duration, after lines: Int) {
    (self.latency, self.rate, first) = (latency, rate, lines + 1)
    splitter = LineSplitter(after: lines)
    train = FrameTrain(rate: rate, cycle: 1, latency: latency)
    chain = BeatChain(latency: latency)
  }

  mutating func take(_ bytes: Span<UInt8>, arrived: Moment) -> Decoded {
    var yield = Decoded()
    var lines: [(number: Int, text: [UInt8])] = []
    splitter.take(bytes) { number, line in
      var text: [UInt8] = []
      // The sketches end lines with CR and LF.
      if let line { for index in 0..<min(line.count, 64) where line[index] != 0x0D { text.append(line[index]) } }
      lines.append((number, text))
    }
    var signal: [Float] = []
    for (number, text) in lines where !text.isEmpty {
      if decode(text, &signal, &yield, arrived) {
        unitCount += 1
      } else if number > first || unitCount > 0 {
        // The first line may have begun before the port was opened.
        yield.faults.append(.init(line: number, reason: "\(excerpt(text.span)) is not a line of a PulseSensor"))
      }
    }
    chain.place(&yield.readings)
    if !signal.isEmpty {
      let moments = train.moments(of: [.init(count: signal.count)], arrived: arrived)
      yield.waveforms.append(
        WaveformFrames(
          WaveformFormat(.photoplethysmogram, rate: rate, channels: ["1"]), happened: moments[0], arrived: arrived,
          values: signal))
    }
    return yield
  }

  /// Decodes a line; returns whether it is one.
  private mutating func decode(
    _ text: [UInt8], _ signal: inout [Float], _ yield: inout Decoded, _ arrived: Moment
  ) -> Bool {
    let line = String(decoding: text, as: UTF8.self)
    if text[0] < 0x3A {
      let parts = line.split(separator: ",", omittingEmptySubsequences: false).map { Self.number($0) }
      guard parts.count == 3, let beat = parts[0], let interval = parts[1], let value = parts[2] else { return false }
      signal.append(Float(value))
      let intervals = beats.take(rate: beat, interval: interval, after: 1 / rate)
      if beat == 0 { reportNoPulse(&yield, arrived) } else { report(intervals, rate: Double(beat), &yield, arrived) }
      return true
    }
    guard let value = Self.number(line.dropFirst()) else { return false }
    switch text[0] {
    case UInt8(ascii: "S"), UInt8(ascii: "a"): signal.append(Float(value))
    case UInt8(ascii: "B"), UInt8(ascii: "A"):
      heartRate = Double(value)
      if value == 0 { reportNoPulse(&yield, arrived) }
    case UInt8(ascii: "Q"), UInt8(ascii: "M"):
      if let heartRate, heartRate > 0 { report([Double(value)], rate: heartRate, &yield, arrived) }
    case UInt8(ascii: "b")...UInt8(ascii: "z"), UInt8(ascii: "C")...UInt8(ascii: "Z"):
      guard !hasNotedOthers else { break }
      hasNotedOthers = true
      yield.notes.append("has several sensors, of which the first is recorded")
    default: return false
    }
    return true
  }

  private mutating func report(
    _ intervals: [Double], rate: Double, _ yield: inout Decoded, _ arrived: Moment
  ) {
    guard !intervals.isEmpty else { return }
    hasNoPulse = false
    // An interval that no heart has separates the others.
    let plausible = intervals.allSatisfy(Sample.intervals.contains) ? intervals : []
    if plausible.isEmpty { chain.end() }
    yield.readings.append(
      HeartReading(
        heartRate: Sample.rates.contains(rate) ? rate : nil, rrIntervals: plausible, happened: arrived,
        arrived: arrived))
  }

  /// The device sets the rate to zero when it has found no beat for 2.5 s.
  private mutating func reportNoPulse(_ yield: inout Decoded, _ arrived: Moment) {
    guard !hasNoPulse else { return }
    hasNoPulse = true
    beats = PlotterBeats()
    chain.end()
    yield.readings.append(
      HeartReading(heartRate: nil, problem: .noPulse, happened: arrived, arrived: arrived))
  }

  /// A number of a line: a few digits.
  private static func number(_ text: Substring) -> Int? {
    guard (1...6).contains(text.utf8.count), text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    return Int(text)
  }
}

/// Finds beats in the lines of the plotter, which repeat the rate and the interval of the last beat.
///
/// A beat whose interval and rate are those of the one before changes nothing. Where the time since the last change is
/// longer than the new interval by the old one, there was such a beat between them.
struct PlotterBeats: Sendable {
  private var last: (rate: Int, interval: Int)?
  /// The time since the last change, in milliseconds.
  private var waited = 0.0
  private var hasChanged = false

  /// The intervals of the beats that a line tells, oldest first, in milliseconds.
  mutating func take(rate: Int, interval: Int, after seconds: Double) -> [Double] {
    waited += seconds * 1000
    guard let last else {
      self.last = (rate, interval)
      return []
    }
    guard last != (rate, interval) else { return [] }
    defer { (self.last, waited, hasChanged) = ((rate, interval), 0, true) }
    let (old, new) = (Double(last.interval), Double(interval))
    guard hasChanged, old > 0 else { return [new] }
    let hidden = Int(((waited - new) / old).rounded())
    guard (1...3).contains(hidden), abs(waited - new - Double(hidden) * old) < 0.15 * old else { return [new] }
    return Array(repeating: old, count: hidden) + [new]
  }
}

extension SerialKind {
  /// The lines of an Arduino with a PulseSensor: `72,830,512`, or `S512`, `B72` and `Q830`.
  package static let pulseSensor = SerialKind(
    name: "pulsesensor", title: "lines of a PulseSensor", words: ["arduino", "pulsesensor"], rate: 50,
    options: ["rate_hz"],
    read: { reader, options, settings throws(SensorError) in
      if let text = options["rate_hz"] { settings.rate = try reader.number("rate_hz", text, 1...1000) }
    },
    channels: { Channel.ofHeartbeats + [Channel(.photoplethysmogram, rate: $0.rate)] },
    decoder: { PulseSensorDecoder(rate: $0.rate, latency: $1, after: $2) },
    sends: { isMostly($0, of: 20, by: PulseSensorDecoder(rate: 50, latency: .zero, after: 0)) })
}
