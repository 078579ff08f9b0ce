import Basics
import Quantities

/// Makes samples of the frames of a stream, whose times are those of the sender.
///
/// The measured difference of the clocks is added to each time. Samples of the heart keep the sender's time besides.
struct LSLDecoder: Sendable {
  /// Frames that arrived together.
  struct Chunk {
    /// The sender's times, in seconds.
    var times: [Double]
    /// The values, frame by frame; not a number for a text that is none.
    var values: [Double]
    /// What is added to the sender's times to get the monotonic clock, in seconds.
    let offset: Double
  }

  /// A frame of a waveform that comes so much later than its place is after a gap, in seconds, and two periods.
  static let gap = 0.1
  /// Times further from their arrival than this are none, in seconds.
  static let maxDelay = 3600.0
  /// The times of frames are smoothed over so many seconds: programs stamp them unevenly.
  private static let smoothing = 1.0

  private let channels: [Channel?]
  private let waveforms: [(format: WaveformFormat, places: [Int])]
  private let rate: Double
  private let latency: Duration
  private var lastTime = -Double.infinity
  /// Where the next frame of the waveforms belongs, in seconds of the monotonic clock.
  private var next: Double?
  /// The number of frames so far.
  private(set) var frames: Int
  private var noted: Set<String> = []

  init(_ channels: [Channel?], rate: Double, latency: Duration, after frames: Int = 0) {
    (self.channels, self.rate, self.latency, self.frames) = (channels, rate, latency, frames)
    let places = channels.indices.filter { channels[$0]?.type.isWaveform == true }
    let byType = Dictionary(grouping: places) { channels[$0]?.type ?? .photoplethysmogram }
    waveforms = byType.map { type, places in
      (WaveformFormat(type, unit: channels[places[0]]?.unit, rate: rate, channels: places.map { "\($0 + 1)" }), places)
    }.sorted { $0.places[0] < $1.places[0] }
  }

  /// Decodes frames.
  mutating func take(_ chunk: Chunk, arrived: Moment) -> Decoded {
    var yield = Decoded()
    /// The frames of the waveforms that follow each other, and the time of the first.
    var block: (start: Double, frames: [Int])?
    for (index, senderTime) in chunk.times.enumerated() {
      frames += 1
      let time = time(senderTime, chunk.offset, arrived, &yield)
      if !waveforms.isEmpty {
        // Without a time of its own, a frame's place is counted back from the arrival of the last one.
        let left = Double(chunk.times.count - 1 - index) / max(rate, 1e-3)
        let place = place(time ?? Double(arrived.nanoseconds) / 1e9 - left)
        if place.isAfterGap, let ended = block.take() { add(ended, chunk, arrived, &yield) }
        block = (block?.start ?? place.time, (block?.frames ?? []) + [index])
      }
      let happened = time.map { Self.moment($0).advanced(by: .zero - latency) } ?? arrived.advanced(by: .zero - latency)
      addReading(index, senderTime, min(happened, arrived), chunk, arrived, &yield)
    }
    if let block { add(block, chunk, arrived, &yield) }
    return yield
  }

  private static func moment(_ seconds: Double) -> Moment { Moment(nanoseconds: Int64((seconds * 1e9).rounded())) }

  /// A frame's time on the monotonic clock, in seconds; `nil` where the sender gives none that can be.
  private mutating func time(
    _ time: Double, _ offset: Double, _ arrived: Moment, _ yield: inout Decoded
  ) -> Double? {
    let seconds = time + offset
    guard seconds.isFinite, abs(seconds - Double(arrived.nanoseconds) / 1e9) < Self.maxDelay else {
      note("sends samples without a usable time; their arrival is taken", &yield)
      return nil
    }
    if time < lastTime { note("sends samples whose times do not rise", &yield) }
    lastTime = max(lastTime, time)
    return seconds
  }

  /// Where a frame of the waveforms belongs; one whose time is set back begins a part of its own, as one after a gap does.
  private mutating func place(_ time: Double) -> (time: Double, isAfterGap: Bool) {
    let limit = max(Self.gap, 2 / rate)
    let expected = next ?? time
    let distance = time - expected
    let isAfterGap = next != nil && distance.magnitude > limit
    let place = isAfterGap ? time : expected + distance * min(1, 1 / (rate * Self.smoothing))
    next = place + 1 / rate
    return (place, isAfterGap)
  }

  private mutating func note(_ text: String, _ yield: inout Decoded) {
    if noted.insert(text).inserted { yield.notes.append(text) }
  }

  private func add(
    _ block: (start: Double, frames: [Int]), _ chunk: Chunk, _ arrived: Moment, _ yield: inout Decoded
  ) {
    for (format, places) in waveforms {
      let values = block.frames.flatMap { frame in
        places.map { Float(chunk.values[frame * channels.count + $0]) }
      }
      yield.waveforms.append(
        WaveformFrames(
          format, happened: Self.moment(block.start).advanced(by: .zero - latency), arrived: arrived, values: values))
    }
  }

  private func addReading(
    _ index: Int, _ senderTime: Double, _ happened: Moment, _ chunk: Chunk, _ arrived: Moment,
    _ yield: inout Decoded
  ) {
    var sample = Sample()
    for (place, channel) in channels.enumerated() {
      guard let channel, !channel.type.isWaveform else { continue }
      let value = chunk.values[index * channels.count + place]
      // Not a number: this channel has no new value.
      guard value.isFinite else { continue }
      if let problem = sample.take(value, of: channel) { yield.faults.append(.init(line: frames, reason: problem)) }
    }
    guard sample != Sample() else { return }
    let read: Sample
    switch Row(checking: sample) {
    case .sample(let sample): read = sample
    case .partly(let sample, let reason):
      yield.faults.append(.init(line: frames, reason: reason))
      read = sample
    case .unreadable(let reason):
      yield.faults.append(.init(line: frames, reason: reason))
      return
    case .nothing: return
    }
    let reading = HeartReading(
      heartRate: read.heartRate, rrIntervals: read.rrIntervals, happened: happened, arrived: arrived,
      senderTime: senderTime.magnitude < 1e12 ? senderTime : nil,
      samples: read.values.map { ChannelSample($0.channel.type, $0.value, $0.channel.unit, happened: happened) })
    yield.readings += reading.parts
  }
}
