package import Analysis

/// What one recorder or file holds of a heart: intervals between beats, heart rates, or both, over one time axis.
///
/// Times are in seconds. In a trial they count from the trial's zero, so that they stand beside those of its sound; in
/// another file they count from where that file begins.
package struct Recording: Sendable {
  /// Where it was read from, as it was given.
  package var path: String

  /// The recorder's identifier; `nil` for a file that is no trial's.
  package var recorder: String?

  /// The sensor's name; `nil` where the file does not say it.
  package var sensor: String?

  /// The intervals between beats; `nil` where none were recorded.
  package var beats: IntervalSeries?

  /// The sensor's own heart rates; empty where none were recorded.
  package var rates: HeartRates

  /// The trial that it belongs to; `nil` for a file that is no trial's.
  package var trial: TrialFacts?

  /// What a reader should know of it before trusting its numbers; sentences.
  package var remarks: [String]

  /// The columns of a table that are not read, by their names.
  package var unreadColumns: [String] = []

  /// What its windows, phases and responses are locked to: the first of these that it has.
  package var events: [EventSource] = [.stimulus]

  /// A recording.
  package init(
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
      self.remarks.append("\(words) left out: longer than an hour, which no pause of a heart is.")
    }
  }

  /// The sensor's own heart rates over time.
  package var ratesTrack: HeartRateTrack { HeartRateTrack(rates: rates.values, times: rates.times) }

  /// Whether there is nothing in it to measure.
  package var isEmpty: Bool { (beats?.count ?? 0) == 0 && rates.values.isEmpty }
}

/// Heart rates as a sensor said them.
package struct HeartRates: Hashable, Sendable {
  /// When each was true, in seconds, ascending.
  package private(set) var times: [Double]

  /// Beats a minute, as many as there are times.
  package private(set) var values: [Double]

  /// No rates.
  package init() { (times, values) = ([], []) }

  /// Rates, which are put in the order of their times, and those of one time in that of their values; what is not a number, or not above zero, is left out.
  package init(_ rates: [(time: Double, value: Double)]) {
    let known = rates.filter { $0.time.isFinite && $0.value.isFinite && $0.value > 0 }
    let isOrdered = zip(known, known.dropFirst()).allSatisfy { $0 <= $1 }
    let ordered = isOrdered ? known : known.sorted { $0 < $1 }
    (times, values) = (ordered.map(\.time), ordered.map(\.value))
  }

  /// How many times have several different rates, and how many rates these are.
  var shared: (times: Int, rates: Int) {
    var shared = (times: 0, rates: 0)
    var start = 0
    for end in 1...max(1, times.count) where end == times.count || end < times.count && times[end] != times[start] {
      // Rates of one time ascend.
      if values[start] != values[end - 1] { shared = (shared.times + 1, shared.rates + end - start) }
      start = end
    }
    return shared
  }

  /// What is to be said of times with several different rates.
  var sharedRemarks: [String] {
    let (times, rates) = shared
    guard times > 0 else { return [] }
    return [
      times == 1
        ? "One time has \(rates) heart rates that differ; it counts with their mean."
        : "\(times) times have several heart rates that differ, \(rates) in all; each time counts with their mean."
    ]
  }
}
