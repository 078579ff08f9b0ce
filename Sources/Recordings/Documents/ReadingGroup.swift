internal import Analysis
internal import Decimals

/// What one recorder or one sensor has in a heart file.
///
/// Several recorders may have cut the same reading out of a sensor's stream: its rate and its intervals count once.
struct ReadingGroup {
  var sensor: String?
  /// How many items it has, those included that are left out.
  var count = 0

  private var recorders: [String] = []
  private var beats = BeatTimes()
  // Of items without a reading's number: what came with heart rates, and what stands by itself and may repeat it.
  private var besideRates = BeatTimes()
  private var alone = BeatTimes()
  private var rates: [(time: Double, value: Double)] = []
  private var withoutContact = 0
  /// The first items that are left out, in sentences, and how many there are.
  private(set) var broken: [String] = []
  private(set) var brokenCount = 0
  // The ratio of the sensor's rate to that of the intervals that came with it.
  private var ratios: [Double] = []
  private var reading: Reading?

  /// A reading whose items are coming.
  private struct Reading {
    let sequence: Double
    var hasRate = false
    var intervals: [Double] = []
    var end = 0.0
    // Whether the intervals came with a heart rate; otherwise they are one recorder's items.
    var isWhole = false
    var recorder: String?
  }

  mutating func leaveOut(_ item: Int, _ reason: String) {
    brokenCount += 1
    if broken.count < 3 { broken.append("Item \(item) is left out: \(reason).") }
  }

  mutating func take(rate: Double, _ item: HeartItem, at time: Double, recorder: String?) {
    guard begin(item, recorder) else { return }
    let isFirst = reading?.hasRate != true
    reading?.hasRate = true
    if isFirst, rate > 0 { rates.append((time, rate)) }
    let intervals = item.intervals.filter { $0 > 0 }
    guard isFirst, !intervals.isEmpty else { return }
    let ofIntervals = 60_000 * Double(intervals.count) / intervals.reduce(0, +)
    if rate > 0 { ratios.append(rate / ofIntervals) }
    guard reading != nil else { return besideRates.take(intervals, end: time) }
    reading?.intervals = intervals
    reading?.end = time
    reading?.isWhole = true
  }

  mutating func take(interval: Double, _ item: HeartItem, at time: Double, recorder: String?) {
    guard begin(item, recorder) else { return }
    guard let reading else { return alone.take([interval], end: time) }
    guard !reading.isWhole, reading.intervals.isEmpty || reading.recorder == recorder else { return }
    self.reading?.recorder = recorder
    self.reading?.intervals.append(interval)
    self.reading?.end = max(time, reading.intervals.isEmpty ? time : reading.end)
  }

  /// Whether the item counts.
  private mutating func begin(_ item: HeartItem, _ recorder: String?) -> Bool {
    if let recorder, recorders.last != recorder, !recorders.contains(recorder) { recorders.append(recorder) }
    if reading?.sequence != item.sequence { finish() }
    let isNew = reading == nil
    if isNew, let sequence = item.sequence { reading = Reading(sequence: sequence) }
    if isNew, item.contact == false { withoutContact += 1 }
    return item.contact != false
  }

  private mutating func finish() {
    if let reading, !reading.intervals.isEmpty { beats.take(reading.intervals, end: reading.end) }
    reading = nil
  }

  /// Everything as a recording.
  mutating func recording(path: String, trial: TrialFacts?) -> Recording {
    finish()
    let series = beats.series ?? besideRates.series ?? alone.series
    return Recording(
      path: path, recorder: recorders.isEmpty ? nil : recorders.joined(separator: "+"), sensor: sensor, beats: series,
      rates: HeartRates(rates), trial: trial, remarks: remarks(series))
  }

  private func remarks(_ series: IntervalSeries?) -> [String] {
    var remarks = broken
    if brokenCount > broken.count { remarks.append("\(brokenCount - broken.count) more items are left out.") }
    if withoutContact > 0 {
      remarks.append("\(Count.of(withoutContact, "reading")) left out: the sensor did not touch the skin.")
    }
    if let series { remarks += series.gapRemarks }
    let ratios = ratios.sorted()
    if ratios.count >= 5, case let median = ratios[ratios.count / 2], (median - 1).magnitude > 0.1 {
      remarks.append(
        "The sensor's heart rates and its intervals contradict each other: the rates are "
          + "\(Int(min(median * 100, 1e9).rounded())) % of what the intervals say.")
    }
    return remarks
  }
}

/// Counted things in sentences.
enum Count {
  /// `one row is`, `3 rows are`.
  static func of(_ count: Int, _ noun: String, verb: (one: String, many: String)? = ("is", "are")) -> String {
    let verb = verb.map { " " + (count == 1 ? $0.one : $0.many) } ?? ""
    return count == 1 ? "One \(noun)\(verb)" : "\(count) \(noun)s\(verb)"
  }
}

extension IntervalSeries {
  /// What is to be said of its gaps.
  var gapRemarks: [String] {
    let gaps = breaks.map { max(0, ends[$0] - intervals[$0] / 1000 - ends[$0 - 1]) }
    guard let longest = gaps.max() else { return [] }
    let tenths = longest.fixed(1)
    return [
      gaps.count == 1
        ? "There is a gap of \(tenths) s between beats."
        : "There are \(gaps.count) gaps between beats, \(tenths) s at most."
    ]
  }
}
