import Basics
import Quantities
import Signals

/// Makes samples of pictures: the raw trace of their colours, the beats and heart rate of the pulse in them, and once a
/// second the quality of that signal.
struct CameraPulse: Sendable {
  /// The names of the trace's channels.
  static let channels = ["red", "green", "blue"]
  /// The most time that a block of the trace takes, in seconds.
  static let block = 0.2
  /// Frames of a block are this much off their places at the most, in seconds.
  static let tolerance = 0.002
  /// The number of pictures that tell the nominal rate.
  static let earlyPictures = 12
  /// The number of intervals that make a heart rate.
  static let intervals = 3
  /// The time after which no pulse has been found, in seconds.
  static let search = 12.0

  private let isOfFinger: Bool
  private let colours: [PulseColour]
  private let latency: Duration
  private var conditions: PictureConditions
  private var tracker: PulseTracker
  private var rate: Double?
  /// The first pictures' times and levels, until the rate is known.
  private var early: [(moment: Moment, values: [Float])] = []
  /// The time of the first picture; the pictures' times are counted from there.
  private var zero: Moment?
  private var last = -Double.infinity
  private var nextReport = 1.0
  /// Since when a pulse has been looked for, in seconds.
  private var searching = 0.0
  private var latest: [Double] = []
  private var lastBeat: Double?
  private var pending: (first: Moment, count: Int, values: [Float])?

  /// Creates an empty trace.
  ///
  /// - Parameters:
  ///   - settings: the colours, and whether a finger is to cover the lens.
  ///   - latency: the delay from what a picture shows to its time.
  init(_ settings: CameraSettings, latency: Duration) {
    (isOfFinger, colours, self.latency) = (settings.isOfFinger, settings.colours, latency)
    conditions = PictureConditions(isOfFinger: isOfFinger, colours: colours)
    tracker = PulseTracker(colours)
  }

  /// Takes a picture.
  ///
  /// - Parameters:
  ///   - picture: the picture.
  ///   - moment: when it was taken.
  ///   - arrived: when it arrived.
  /// - Returns: what it leads to.
  mutating func take(_ picture: Picture, at moment: Moment, arrived: Moment) -> Decoded {
    let happened = moment.advanced(by: .zero - latency)
    let zero = zero ?? happened
    self.zero = zero
    let time = zero.duration(to: happened).seconds
    var yield = Decoded()
    guard time > last else {
      yield.notes.append("sends pictures whose times do not rise; they are left out")
      return yield
    }
    last = time
    addToTrace(picture, at: happened, arrived, &yield)
    conditions.take(picture, at: time)
    for output in tracker.take(picture.colours.replacing(with: 1, where: picture.colours .< 1), at: time) {
      switch output {
      case .gap: (latest, lastBeat, searching) = ([], nil, time)
      case .beat(let beat, let interval, _):
        guard !conditions.excludesPulse else { continue }
        let isNext = lastBeat.map { abs(beat - interval - $0) < 0.1 } ?? false
        latest = isNext ? latest.suffix(Self.intervals - 1) + [interval] : [interval]
        lastBeat = beat
        yield.readings.append(
          HeartReading(
            heartRate: 60 * Double(latest.count) / latest.reduce(0, +), rrIntervals: [interval * 1000],
            contact: isOfFinger ? true : nil, happened: zero.advanced(by: Duration(seconds: beat)), arrived: arrived))
      }
    }
    if time >= nextReport {
      nextReport = time.rounded(.down) + 1
      yield.readings.append(report(at: happened, time, arrived))
    }
    return yield
  }

  /// The last frames of the trace, when no more pictures come.
  mutating func end(arrived: Moment) -> Decoded {
    var yield = Decoded()
    startTrace(arrived, &yield)
    flush(arrived, &yield)
    return yield
  }

  /// The quality of the latest second, and why there is no pulse.
  private mutating func report(at happened: Moment, _ time: Double, _ arrived: Moment) -> HeartReading {
    let isThere = tracker.colour != nil && !conditions.excludesPulse
    var problem: SignalProblem?
    if isThere {
      searching = time
    } else {
      problem = conditions.problem ?? (time - searching > Self.search ? conditions.absence : nil)
    }
    // After a pulse that was there, its absence is known at once.
    if lastBeat.map({ time - $0 > tracker.delay + 1.5 }) ?? false, !isThere { problem = problem ?? conditions.absence }
    let quality = ChannelSample(
      .signalQuality, isThere || problem == nil ? tracker.quality : 0, happened: happened)
    return HeartReading(
      heartRate: nil, contact: problem == .noFinger ? false : nil, problem: problem, happened: happened,
      arrived: arrived, samples: [quality])
  }

  // MARK: The trace

  private mutating func addToTrace(
    _ picture: Picture, at happened: Moment, _ arrived: Moment, _ yield: inout Decoded
  ) {
    let colours = picture.colours
    let values = [Float(colours.x), Float(colours.y), Float(colours.z)]
    guard let rate else {
      early.append((happened, values))
      if early.count == Self.earlyPictures { startTrace(arrived, &yield) }
      return
    }
    append(values, at: happened, rate, arrived, &yield)
  }

  /// Begins the trace with the pictures so far, whose mean rate is the nominal one.
  private mutating func startTrace(_ arrived: Moment, _ yield: inout Decoded) {
    guard let first = early.first, let last = early.last, early.count > 1 else { return }
    let mean = Double(early.count - 1) / first.moment.duration(to: last.moment).seconds
    // The times of many films are rounded to milliseconds.
    let nominal = abs(mean - mean.rounded()) < 0.005 * mean ? mean.rounded() : (mean * 100).rounded() / 100
    let rate = min(max(nominal, 1), 1000)
    self.rate = rate
    for (moment, values) in early { append(values, at: moment, rate, arrived, &yield) }
    early = []
  }

  private mutating func append(
    _ values: [Float], at happened: Moment, _ rate: Double, _ arrived: Moment, _ yield: inout Decoded
  ) {
    if let block = pending {
      let place = block.first.advanced(by: Duration(seconds: Double(block.count) / rate))
      let isOff = abs(place.duration(to: happened).seconds) > Self.tolerance
      if isOff || Double(block.count + 1) / rate > Self.block { flush(arrived, &yield) }
    }
    pending = pending.map { ($0.first, $0.count + 1, $0.values + values) } ?? (happened, 1, values)
  }

  private mutating func flush(_ arrived: Moment, _ yield: inout Decoded) {
    guard let block = pending, let rate else { return }
    pending = nil
    let format = WaveformFormat(.photoplethysmogram, rate: rate, channels: Self.channels)
    yield.waveforms.append(
      WaveformFrames(format, happened: block.first, arrived: arrived, values: block.values))
  }
}
