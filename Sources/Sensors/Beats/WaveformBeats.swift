import Basics
import Quantities
import Signals

/// Makes readings of a heart of the waveforms that a sensor sends: its beats, its heart rate and, once a second, the quality
/// of the signal.
///
/// Beats are looked for in the first channel of an electrocardiogram; in a photoplethysmogram only where there is none.
struct WaveformBeats: Sendable {
  /// The number of intervals that make a heart rate.
  static let intervals = 3
  /// The time after which the first beats are known.
  static let warmUp = Duration.seconds(8)

  private let latency: Duration
  private var format: WaveformFormat?
  private var detector: BeatDetector?
  /// The time of the first frame; the detector's times are counted from there.
  private var zero = Moment(nanoseconds: 0)
  private var latest: [Double] = []
  private var hasOwnBeats = false
  private var note: String?

  init(latency: Duration) { self.latency = latency }

  /// What can be found in a quantity; `nil` for one without heartbeats.
  static func kind(of type: QuantityType) -> BeatDetector.Kind? {
    switch type {
    case .electrocardiogram: .electrocardiogram
    case .photoplethysmogram: .photoplethysmogram
    default: nil
    }
  }

  /// Takes what the sensor sent.
  ///
  /// - Returns: the readings that it completes, in order.
  mutating func take(_ event: SensorEvent) -> [HeartReading] {
    switch event {
    case .readings(let readings):
      if readings.contains(where: { $0.heartRate != nil || !$0.rrIntervals.isEmpty }) {
        (hasOwnBeats, detector, format) = (true, nil, nil)
      }
      return []
    case .waveform(let frames): return hasOwnBeats ? [] : take(frames)
    case .lost, .ended:
      defer { (detector, format, latest) = (nil, nil, []) }
      return detector?.finish().compactMap { reading(of: $0, arrived: nil) } ?? []
    default: return []
    }
  }

  private mutating func take(_ frames: WaveformFrames) -> [HeartReading] {
    let isFirst = format == nil
    guard follows(frames.format), let rate = format?.rate else { return [] }
    if isFirst { zero = frames.happened }
    let width = frames.format.channels.count
    let start = zero.duration(to: frames.happened).seconds
    var readings: [HeartReading] = []
    for frame in 0..<frames.count {
      let time = start + Double(frame) / rate
      guard let output = detector?.take(Double(frames.values[frame * width]), at: time) else { break }
      readings += output.beats.compactMap { reading(of: $0, arrived: frames.arrived) }
      guard let report = output.report else { continue }
      let happened = zero.advanced(by: Duration(seconds: time))
      let problem: SignalProblem? =
        switch report.fault {
        case .flat: .flat
        case .saturated: .saturated
        case nil: time > Self.warmUp.seconds && report.quality == 0 ? .noBeats : nil
        }
      readings.append(
        HeartReading(
          heartRate: nil, problem: problem, happened: happened, arrived: frames.arrived,
          samples: [ChannelSample(.signalQuality, report.quality, happened: happened)]))
    }
    return readings
  }

  /// Whether beats are looked for in frames of a form; begins with them if nothing better came before.
  private mutating func follows(_ new: WaveformFormat) -> Bool {
    if new == format { return true }
    guard let kind = Self.kind(of: new.type), new.rate >= kind.minRate else { return false }
    if let format, format.type == .electrocardiogram, new.type != .electrocardiogram { return false }
    (format, latest) = (new, [])
    detector = BeatDetector(kind, rate: new.rate)
    note = "sends no beats: they are derived from its \(new.type.channelName) by \(kind.detector)"
    return true
  }

  /// The remark that beats are derived, worded as a predicate, once for each kind of waveform.
  mutating func takeNote() -> String? {
    defer { note = nil }
    return note
  }

  private mutating func reading(of beat: BeatDetector.Beat, arrived: Moment?) -> HeartReading? {
    latest = beat.interval.map { latest.suffix(Self.intervals - 1) + [$0] } ?? []
    guard let interval = beat.interval else { return nil }
    let happened = zero.advanced(by: Duration(seconds: beat.time))
    return HeartReading(
      heartRate: 60 * Double(latest.count) / latest.reduce(0, +), rrIntervals: [interval * 1000], happened: happened,
      arrived: arrived ?? happened.advanced(by: latency))
  }
}
