import Basics
import Quantities

/// Decodes the frames of a BITalino: converts samples to units of the quantity that is measured at each input.
///
/// Waveforms keep every sample. Of skin conductance, the mean of each tenth of a second is kept.
struct BitalinoDecoder: DeviceDecoder {
  /// The number of samples per second of a quantity that is no waveform, in Hz, at the most.
  static let slowRate = 10.0

  /// Supply voltage, in volts.
  private static let supply = 3.3
  /// The gain of the sensor for electrocardiograms.
  private static let electrocardiogramGain = 1100.0

  private let latency: Duration
  private let inputs: [SerialSettings.Input]
  private let size: Int
  private let rate: Double
  private let first: Int
  private var buffer: [UInt8] = []
  private var train: FrameTrain
  private var sequence: Int?
  private var isAligned = false
  /// The samples of inputs that are no waveform since their last mean.
  private var slow: [Int: (sum: Double, count: Int)] = [:]

  private(set) var unitCount = 0

  init(_ inputs: [SerialSettings.Input], rate: Double, latency: Duration, after frames: Int = 0) {
    self.inputs = inputs.sorted { $0.number < $1.number }
    (self.latency, self.rate, first) = (latency, rate, frames)
    size = BitalinoFrame.size(inputs.count)
    train = FrameTrain(rate: rate, cycle: BitalinoFrame.cycle, latency: latency)
  }

  mutating func take(_ bytes: Span<UInt8>, arrived: Moment) -> Decoded {
    var yield = Decoded()
    for index in bytes.indices { buffer.append(bytes[index]) }
    var runs: [(run: FrameTrain.Run, frames: [[Int]])] = [(.init(), [])]
    var start = 0
    while buffer.count - start >= size {
      let frame = buffer[start..<start + size]
      // What follows decides on a frame that does not fit, and on the first one.
      if !isAligned || BitalinoFrame.sequence(of: frame) == nil, buffer.count - start < 2 * size { break }
      guard let number = BitalinoFrame.sequence(of: frame), isAligned || isFollowed(at: start, number) else {
        // A damaged frame between whole ones; otherwise bytes were lost, and the next frame begins anywhere.
        let isDamaged = isAligned && BitalinoFrame.sequence(of: frame) == nil && isFollowed(at: start, nil)
        if isAligned {
          yield.faults.append(.init(line: first + unitCount + 1, reason: "a frame with a wrong checksum"))
        }
        if !isDamaged { isAligned = false }
        start += isDamaged ? size : 1
        continue
      }
      isAligned = true
      unitCount += 1
      if let sequence, case let lost = (number - sequence + 2 * BitalinoFrame.cycle - 1) % BitalinoFrame.cycle, lost > 0
      {
        runs.append((.init(lost: lost), []))
      }
      sequence = number
      runs[runs.count - 1].frames.append(BitalinoFrame.samples(of: frame, inputs: inputs.count))
      runs[runs.count - 1].run.count += 1
      start += size
    }
    buffer.removeFirst(start)
    runs.removeAll { $0.run.count == 0 }
    for (run, moment) in zip(runs, train.moments(of: runs.map(\.run), arrived: arrived)) {
      add(run.frames, from: moment, arrived, &yield)
    }
    return yield
  }

  /// Whether a whole frame follows: with the next number, or after a damaged one with the number after that.
  private func isFollowed(at start: Int, _ number: Int?) -> Bool {
    let next = start + size
    guard buffer.count >= next + size, let following = BitalinoFrame.sequence(of: buffer[next..<next + size]) else {
      return false
    }
    guard let before = number ?? sequence.map({ $0 + 1 }) else { return false }
    return following == (before + 1) % BitalinoFrame.cycle
  }

  private mutating func add(_ frames: [[Int]], from moment: Moment, _ arrived: Moment, _ yield: inout Decoded) {
    let waveforms = Dictionary(grouping: inputs.indices.filter { inputs[$0].type.isWaveform }) { inputs[$0].type }
    for (type, places) in waveforms.sorted(by: { $0.value[0] < $1.value[0] }) {
      let format = WaveformFormat(type, rate: rate, channels: places.map { "A\(inputs[$0].number)" })
      let values = frames.flatMap { frame in places.map { Float(Self.value(frame[$0], place: $0, type)) } }
      yield.waveforms.append(WaveformFrames(format, happened: moment, arrived: arrived, values: values))
    }
    for place in inputs.indices where !inputs[place].type.isWaveform {
      let type = inputs[place].type
      for (index, frame) in frames.enumerated() {
        var (sum, count) = slow[place] ?? (0, 0)
        (sum, count) = (sum + Self.value(frame[place], place: place, type), count + 1)
        slow[place] = (sum, count)
        guard Double(count) >= rate / Self.slowRate else { continue }
        slow[place] = nil
        let last = moment.advanced(by: Duration(nearestNanoseconds: Double(index) / rate * 1e9))
        let happened = last.advanced(by: .zero - Duration(nearestNanoseconds: Double(count - 1) / 2 / rate * 1e9))
        let sample = ChannelSample(type, sum / Double(count), happened: happened)
        yield.readings.append(HeartReading(heartRate: nil, happened: happened, arrived: arrived, samples: [sample]))
      }
    }
  }

  /// The value of a sample, by the transfer functions in the sensors' data sheets.
  private static func value(_ sample: Int, place: Int, _ type: QuantityType) -> Double {
    let share = Double(sample) / Double(1 << BitalinoFrame.bits(place))
    switch type {
    case electrocardiogram: return (share - 0.5) * supply / electrocardiogramGain * 1000
    case skinConductance: return share * supply / 0.132
    default: return Double(sample)
    }
  }

  private static let electrocardiogram = QuantityType(channel: "electrocardiogram")
  private static let skinConductance = QuantityType(channel: "skinConductance")

  /// What can be measured at an input.
  static let types = [electrocardiogram, .photoplethysmogram, skinConductance, .respiration].compactMap(\.self)
}

extension SerialKind {
  private static let inputs = (1...6).map { "a\($0)" }

  /// The frames of a BITalino; `a1` to `a6` name what is measured at its inputs, as in `a2=electrocardiogram`.
  package static let bitalino = SerialKind(
    name: "bitalino", title: "frames of a BITalino", words: ["bitalino", "plux"], rate: 1000,
    options: ["rate_hz"] + inputs,
    read: { reader, options, settings throws(SensorError) in
      if let text = options["rate_hz"] {
        settings.rate = try reader.number("rate_hz", text, 1...1000)
        guard BitalinoCommand.rate(settings.rate) != nil else {
          throw reader.error("rate_hz is “\(text)”", "a BITalino knows 1, 10, 100 and 1000")
        }
      }
      for (index, input) in inputs.enumerated() {
        guard let text = options[input] else { continue }
        let known = BitalinoDecoder.types
        guard let type = QuantityType(channel: text), known.contains(type) else {
          throw reader.error(
            "a BITalino's input cannot be “\(text)”", Spelling.advice(for: text, among: known.map(\.channelName)))
        }
        settings.inputs.append(.init(number: index + 1, type: type))
      }
      guard !settings.inputs.isEmpty else {
        throw reader.error("what the BITalino measures is missing", "say at which input, as in a2=electrocardiogram")
      }
    },
    channels: { settings in
      settings.inputs.map { Channel($0.type, rate: $0.type.isWaveform ? settings.rate : BitalinoDecoder.slowRate) }
    },
    decoder: { BitalinoDecoder($0.inputs, rate: $0.rate, latency: $1, after: $2) },
    commands: { settings in
      // After a crash it may still send.
      Commands(
        setUp: [BitalinoCommand.stop] + [BitalinoCommand.rate(settings.rate)].compactMap(\.self),
        begin: BitalinoCommand.start(settings.inputs.map(\.number)), end: BitalinoCommand.stop)
    },
    sends: { bytes in
      (1...6).contains { BitalinoFrame.count(in: bytes, inputs: $0) * BitalinoFrame.size($0) > bytes.count / 2 }
    })
}
