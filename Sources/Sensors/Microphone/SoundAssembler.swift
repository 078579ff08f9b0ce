import Basics
import Glibc
import Quantities
import Sound

/// Makes frames of a waveform, and once a second the level, of what a source of a sound server delivers.
///
/// The server says of every piece when it was in the air, with errors that vary. Pieces that follow each other keep to a
/// clock of their own, which is drawn to the server's times, by at most ``maxDrift`` of the time that passes; a jump forward
/// by more than ``jump`` is followed at once. Frames that the server lost are skipped, so that their place stays empty.
struct SoundAssembler: Sendable {
  /// Frames are delivered in blocks of this length, in seconds.
  static let block = 0.1
  /// The maximum share by which a source is, or seems, faster or slower than its nominal rate.
  static let maxDrift = 0.002
  /// The share of the difference that is made good with each piece.
  static let gain = 0.02
  /// The server's time is taken as it is where it is later by more.
  static let jump = Duration.milliseconds(50)
  /// The least level, that of silence, in dBFS.
  static let minLevel = -150.0
  /// A source that delivers nothing but zeros for so long, in seconds, may be muted.
  static let maxSilence = 3.0

  /// What was made of a piece.
  struct Output: Sendable {
    var frames: [WaveformFrames] = []
    var readings: [HeartReading] = []
    var note: String?
  }

  private let format: WaveformFormat
  private let latency: Duration
  private let isMonitor: Bool
  private var pending: [Float] = []
  private var start = Moment(nanoseconds: 0)
  /// The number of the next frame, and its time on the clock of the source; `nil` before the first.
  private var next: (frame: Int, time: Moment)?
  private var squares = 0.0
  private var measured = 0
  private var silent = 0
  private var isSilenceNoted = false

  /// Creates an assembler for a source.
  ///
  /// - Parameters:
  ///   - source: the source, of a rate and of channels that a file of sound can have.
  ///   - latency: the delay from the air to the server that the server does not know.
  init(_ source: CaptureDescription, latency: Duration) {
    format = WaveformFormat(
      .roomSound, rate: Double(source.rate), channels: (1...max(1, source.channels)).map { "\($0)" })
    self.latency = latency
    isMonitor = source.isMonitor
  }

  /// Takes what the source delivered.
  mutating func take(_ piece: CapturedBlock, arrived: Moment) -> Output {
    var output = Output()
    let count = piece.samples.count / format.channels.count
    guard count > 0 else { return output }
    let time = time(of: piece, length: format.time(of: count))
    if let next, next.frame != piece.frame || next.time.duration(to: time) > Self.jump {
      flush(arrived: arrived, into: &output)
    }
    if pending.isEmpty { start = time }
    pending += piece.samples[..<(count * format.channels.count)]
    next = (piece.frame + count, time.advanced(by: format.time(of: count)))
    if Double(pending.count / format.channels.count) >= Self.block * format.rate {
      flush(arrived: arrived, into: &output)
    }
    measure(piece.samples, count, until: time.advanced(by: format.time(of: count)), arrived, into: &output)
    return output
  }

  /// What is left when the source delivers nothing more.
  mutating func finish(arrived: Moment) -> Output {
    var output = Output()
    flush(arrived: arrived, into: &output)
    return output
  }

  /// The time of a piece's first frame.
  private func time(of piece: CapturedBlock, length: Duration) -> Moment {
    let said = piece.start.advanced(by: .zero - latency)
    guard let next else { return said }
    let lost = format.time(of: max(0, piece.frame - next.frame))
    let expected = next.time.advanced(by: lost)
    let error = expected.duration(to: said)
    guard error <= Self.jump else { return said }
    let reach = (length + lost) * Self.maxDrift
    return expected.advanced(by: min(max(error * Self.gain, .zero - reach), reach))
  }

  private mutating func flush(arrived: Moment, into output: inout Output) {
    guard !pending.isEmpty else { return }
    output.frames.append(WaveformFrames(format, happened: start, arrived: arrived, values: pending))
    pending.removeAll(keepingCapacity: true)
  }

  private mutating func measure(
    _ samples: [Float], _ count: Int, until end: Moment, _ arrived: Moment, into output: inout Output
  ) {
    var isSilent = true
    for sample in samples {
      squares += Double(sample) * Double(sample)
      if sample != 0 { isSilent = false }
    }
    silent = isSilent ? silent + count : 0
    if !isMonitor, !isSilenceNoted, Double(silent) >= Self.maxSilence * format.rate {
      isSilenceNoted = true
      output.note = "delivers nothing but silence; is it muted?"
    }
    measured += count
    guard Double(measured) >= format.rate else { return }
    let mean = squares / Double(measured * format.channels.count)
    let level = mean > 0 ? max(Self.minLevel, (100 * log10(mean)).rounded() / 10) : Self.minLevel
    output.readings.append(
      HeartReading(
        heartRate: nil, happened: end, arrived: arrived,
        samples: [ChannelSample(.roomSoundLevel, level, happened: end)]))
    (squares, measured) = (0, 0)
  }
}
