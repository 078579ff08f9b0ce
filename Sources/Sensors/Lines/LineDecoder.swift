import Basics
import Quantities

/// Decodes the bytes of a source into samples: splits them into lines, parses these, and places the beats in time.
struct LineDecoder: Sendable {
  /// The number of jumps of a sender's clock that are reported singly.
  static let jumpsTold = 5

  private var splitter: LineSplitter
  private var rows = RowReader()
  private var chain: BeatChain
  private var senderClock: SenderClock
  private var frameClocks: [QuantityType: FrameClock] = [:]
  private var jumps = 0
  private let latency: Duration

  /// Creates a decoder.
  ///
  /// - Parameters:
  ///   - latency: the source's delay from a beat to its delivery.
  ///   - lines: the number of lines before.
  init(latency: Duration, after lines: Int = 0) {
    self.latency = latency
    splitter = LineSplitter(after: lines)
    chain = BeatChain(latency: latency)
    senderClock = SenderClock(latency: latency)
  }

  /// The number of lines so far.
  var lineCount: Int { splitter.count }

  /// Decodes the lines that a piece of the stream completes.
  mutating func take(_ bytes: Span<UInt8>, arrived: Moment) -> Decoded {
    decode(arrived: arrived) { $0.take(bytes, each: $1) }
  }

  /// Decodes the last line, which has no line break.
  ///
  /// If the connection broke (`isWhole` is false), that line is a fault: truncated, it might read `7` instead of `72`.
  mutating func end(isWhole: Bool, arrived: Moment) -> Decoded {
    guard isWhole else {
      guard splitter.hasUnfinished else { return Decoded() }
      return Decoded(faults: [Decoded.Fault(line: splitter.count + 1, reason: "cut off where the connection ended")])
    }
    return decode(arrived: arrived) { $0.end(each: $1) }
  }

  private mutating func decode(
    arrived: Moment, _ split: (inout LineSplitter, (_ number: Int, _ line: Span<UInt8>?) -> Void) -> Void
  ) -> Decoded {
    var yield = Decoded()
    var samples: [Sample] = []
    var hasImplausible = false
    var rows = rows
    split(&splitter) { number, line in
      guard let line else {
        yield.faults.append(Decoded.Fault(line: number, reason: "longer than \(LineSplitter.maxLength) bytes"))
        return
      }
      switch rows.read(line) {
      case .nothing: break
      case .unreadable(let reason): yield.faults.append(Decoded.Fault(line: number, reason: reason))
      case .partly(let sample, let reason):
        yield.faults.append(Decoded.Fault(line: number, reason: reason))
        hasImplausible = true
        samples.append(sample)
      case .sample(let sample): samples.append(sample)
      }
    }
    yield.notes = rows.takeReports()
    self.rows = rows
    // One clock is behind all channels.
    var timed = senderClock.moments(of: samples.compactMap(\.time), arrived: arrived).makeIterator()
    let moments = samples.map { $0.time == nil ? nil : timed.next() }
    place(zip(samples, moments).filter { !$0.0.isOfWaveforms }, arrived: arrived, into: &yield)
    if hasImplausible { yield.readings = yield.readings.flatMap(\.parts) }
    placeWaveforms(of: zip(samples, moments), arrived: arrived, into: &yield)
    yield.notes += senderClock.takeJumps().compactMap { note($0) }
    return yield
  }

  /// Places samples with a time of their own by it, the others by their intervals.
  private mutating func place(
    _ samples: [(sample: Sample, moment: Moment?)], arrived: Moment, into yield: inout Decoded
  ) {
    let earliest = arrived.advanced(by: .zero - latency)
    let isTimed = samples.contains { $0.moment != nil }
    for (sample, moment) in samples {
      let reading = HeartReading(
        heartRate: sample.heartRate, rrIntervals: sample.rrIntervals, contact: sample.contact,
        happened: moment ?? arrived, arrived: arrived, senderTime: sample.time,
        samples: sample.values.map {
          ChannelSample($0.channel.type, $0.value, $0.channel.unit, happened: moment ?? earliest)
        })
      var single = [reading]
      if isTimed, moment == nil { chain.place(&single) }
      yield.readings += single
    }
    if !isTimed { chain.place(&yield.readings) }
  }

  /// Places the frames of waveforms; those without a time of their own by a count for each quantity.
  private mutating func placeWaveforms(
    of samples: some Sequence<(Sample, Moment?)>, arrived: Moment, into yield: inout Decoded
  ) {
    var waveforms: [(wave: Sample.Waveform, batch: FrameClock.Batch)] = []
    for (sample, moment) in samples {
      guard let rate = sample.samplingRate else { continue }
      waveforms += sample.waveforms.map { wave in
        (wave, FrameClock.Batch(count: wave.values.count / wave.width, rate: rate, end: moment))
      }
    }
    var placed: [(index: Int, frames: WaveformFrames)] = []
    for (type, waves) in Dictionary(grouping: waveforms.indices, by: { waveforms[$0].wave.channel.type }) {
      let moments = frameClocks[type, default: FrameClock(latency: latency)].moments(
        of: waves.map { waveforms[$0].batch }, arrived: arrived)
      for (index, moment) in zip(waves, moments) {
        let (wave, batch) = waveforms[index]
        let format = WaveformFormat(
          type, unit: wave.channel.unit, rate: batch.rate, channels: (1...wave.width).map { "\($0)" })
        placed.append((index, WaveformFrames(format, happened: moment, arrived: arrived, values: wave.values)))
      }
    }
    yield.waveforms = placed.sorted { $0.index < $1.index }.map(\.frames)
  }

  /// The note on a jump; `nil` after ``jumpsTold`` jumps and one note that there are more.
  private mutating func note(_ jump: SenderClock.Jump) -> String? {
    jumps += 1
    guard jumps <= Self.jumpsTold else {
      guard jumps == Self.jumpsTold + 1 else { return nil }
      return "has a clock that jumps again and again; further jumps are not reported"
    }
    let step = ((jump.after - jump.before) * 1000).rounded() / 1000
    let way = step < 0 ? "\(-step) s back" : "\(step) s forward"
    return "has a clock that jumped \(way), from \(jump.before) to \(jump.after) s; "
      + "the arrival of later samples decides their times"
  }
}
