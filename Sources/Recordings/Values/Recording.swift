public import Analysis

/// What one recorder or file holds of a heart: intervals between beats, heart rates, or both, over one time axis.
///
/// Times are in seconds. In a trial they count from the trial's zero, so that they stand beside those of its sound; in
/// another file they count from where that file begins.
public struct Recording: Sendable {
  /// Where it was read from, as it was given.
  public var path: String

  /// The recorder's identifier; `nil` for a file that is no trial's.
  public var recorder: String?

  /// The sensor's name; `nil` where the file does not say it.
  public var sensor: String?

  /// The intervals between beats; `nil` where none were recorded.
  public var beats: IntervalSeries?

  /// The sensor's own heart rates; empty where none were recorded.
  public var rates: HeartRates

  /// The trial that it belongs to; `nil` for a file that is no trial's.
  public var trial: TrialFacts?

  /// What a reader should know of it before trusting its numbers; sentences.
  public var remarks: [String]

  /// What its windows, phases and responses are locked to: the first of these that it has.
  public var events: [EventSource] = [.stimulus]

  /// A recording.
  public init(
    path: String, recorder: String? = nil, sensor: String? = nil, beats: IntervalSeries? = nil,
    rates: HeartRates = HeartRates(), trial: TrialFacts? = nil, remarks: [String] = []
  ) {
    self.path = path
    self.recorder = recorder
    self.sensor = sensor
    self.beats = beats
    self.rates = rates
    self.trial = trial
    self.remarks = remarks
    if let tooLong = beats?.tooLong, tooLong > 0 {
      let words = tooLong == 1 ? "One interval is" : "\(tooLong) intervals are"
      self.remarks.append("\(words) left out: longer than an hour, which no heart stands still.")
    }
  }

  /// The sensor's own heart rates over time.
  public var ratesTrack: HeartRateTrack { HeartRateTrack(rates: rates.values, times: rates.times) }

  /// Whether there is nothing in it to measure.
  public var isEmpty: Bool { (beats?.count ?? 0) == 0 && rates.values.isEmpty }
}

/// Heart rates as a sensor said them.
public struct HeartRates: Hashable, Sendable {
  /// When each was true, in seconds, ascending.
  public private(set) var times: [Double]

  /// Beats a minute, as many as there are times.
  public private(set) var values: [Double]

  /// No rates.
  public init() { (times, values) = ([], []) }

  /// Rates, which are put in the order of their times; what is not a number, or not above zero, is left out.
  public init(_ rates: [(time: Double, value: Double)]) {
    let known = rates.filter { $0.time.isFinite && $0.value.isFinite && $0.value > 0 }
    let isOrdered = zip(known, known.dropFirst()).allSatisfy { $0.time <= $1.time }
    // Swift's sort is stable.
    let ordered = isOrdered ? known : known.sorted { $0.time < $1.time }
    (times, values) = (ordered.map(\.time), ordered.map(\.value))
  }
}
