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
  private var known: Set<Int> = []
  private var readings = HeartReadings()
  private var withoutContact = 0
  private var ratesNotAboveZero = 0
  private var intervalsNotAboveZero = 0
  /// The first items that are left out, in sentences, and how many there are.
  private(set) var broken: [String] = []
  private(set) var brokenCount = 0

  mutating func leaveOut(_ item: Int, _ reason: String) {
    brokenCount += 1
    if broken.count < 3 { broken.append("Item \(item) is left out: \(reason).") }
  }

  /// Takes an item's heart rate, with the intervals that came with it.
  ///
  /// - Parameters:
  ///   - rate: beats a minute.
  ///   - item: the item.
  ///   - time: when it was true, in seconds.
  ///   - recorder: the name of its recorder, which is asked for where it is new.
  mutating func take(rate: Double, _ item: HeartItem, at time: Double, recorder: (Int) -> String) {
    let number = item.recorder ?? -1
    let shown = max(0, number)
    let place = readings.place(item.sequence, at: time) {
      item.contact == false ? $0.matches(at: time) : $0.matches(rate: rate, at: time, recorder: shown)
    }
    guard begin(item, place, recorder), readings[place].take(rate: rate, at: time, recorder: shown) else { return }
    if !(rate > 0) { ratesNotAboveZero += 1 }
    let intervals = item.intervals.filter { $0 > 0 }
    intervalsNotAboveZero += item.intervals.count - intervals.count
    if !intervals.isEmpty { readings[place].take(whole: intervals, recorder: shown) }
  }

  /// Takes an item that is an interval by itself, in milliseconds; the rest as for heart rates.
  mutating func take(interval: Double, _ item: HeartItem, at time: Double, recorder: (Int) -> String) {
    let place = readings.place(item.sequence, at: time) { $0.matches(at: time) }
    guard begin(item, place, recorder) else { return }
    guard interval > 0 else { return intervalsNotAboveZero += 1 }
    readings[place].take(interval: interval, at: time, recorder: max(0, item.recorder ?? 0))
  }

  /// Whether the item counts.
  private mutating func begin(_ item: HeartItem, _ place: Int, _ name: (Int) -> String) -> Bool {
    if let recorder = item.recorder, known.insert(recorder).inserted { recorders.append(name(recorder)) }
    if item.contact == false, readings[place].hasContact {
      withoutContact += 1
      readings[place].hasContact = false
    }
    return item.contact != false
  }

  /// When the first reading began, in seconds; `nil` where there is none.
  var start: Double? { readings.all.lazy.filter(\.hasContact).map(\.start).min() }

  /// Everything as a recording, and why its numbers cannot be a heart's.
  ///
  /// - Parameters:
  ///   - path: where it was read.
  ///   - trial: the trial that it belongs to.
  ///   - zero: the time that is its zero, in seconds.
  /// - Returns: the recording, and a clause for each unit that cannot be right.
  mutating func recording(
    path: String, trial: TrialFacts?, zero: Double
  ) -> (recording: Recording, implausible: [String]) {
    readings.order()
    // With numbers of readings; of items without, what came with heart rates, else what stands by itself.
    var (numbered, besideRates, alone) = (BeatTimes(), BeatTimes(), BeatTimes())
    var rates: [(time: Double, value: Double)] = []
    for reading in readings.all {
      if let rate = reading.rate, rate > 0 { rates.append((reading.time - zero, rate)) }
      guard !reading.intervals.isEmpty else { continue }
      if reading.sequence != nil {
        numbered.take(reading.intervals, end: reading.time - zero)
      } else if reading.isWhole {
        besideRates.take(reading.intervals, end: reading.time - zero)
      } else {
        alone.take(reading.intervals, end: reading.time - zero)
      }
    }
    let series = numbered.series ?? besideRates.series ?? alone.series
    let ordered = HeartRates(rates)
    let implausible = [IntervalUnits.complaint(series), HeartRateUnits.complaint(ordered.values)].compactMap(\.self)
    let recording = Recording(
      path: path, recorder: recorders.isEmpty ? nil : recorders.joined(separator: "+"), sensor: sensor, beats: series,
      rates: ordered, trial: trial, remarks: remarks(series, ordered))
    return (recording, implausible)
  }

  private func remarks(_ series: IntervalSeries?, _ rates: HeartRates) -> [String] {
    var remarks = broken
    if brokenCount > broken.count { remarks.append("\(brokenCount - broken.count) more items are left out.") }
    if withoutContact > 0 {
      remarks.append("\(Count.of(withoutContact, "reading")) left out: the sensor did not touch the skin.")
    }
    if readings.backwards > 0 {
      remarks.append(
        "\(Count.of(readings.backwards, "reading")) earlier than the one before; they are put in the order of time.")
    }
    if readings.repeated > 0 {
      remarks.append("\(Count.of(readings.repeated, "reading")) there more than once, and count once.")
    }
    if ratesNotAboveZero > 0 {
      remarks.append("\(Count.of(ratesNotAboveZero, "heart rate")) left out: not above zero.")
    }
    if intervalsNotAboveZero > 0 {
      remarks.append("\(Count.of(intervalsNotAboveZero, "interval")) left out: not above zero.")
    }
    if let series { remarks += series.gapRemarks + [series.contradiction(of: rates)].compactMap(\.self) }
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

  /// What is to be said where a sensor's heart rates are not those of its intervals, over the time that both know.
  func contradiction(of rates: HeartRates) -> String? {
    var ratios: [Double] = []
    var place = 0
    for (time, rate) in zip(rates.times, rates.values) {
      // The beat at which the rate was said may be rounded.
      while place < count, ends[place] < time - 1e-6 { place += 1 }
      guard place < count else { break }
      if ends[place] - intervals[place] / 1000 <= time { ratios.append(rate * intervals[place] / 60_000) }
    }
    ratios.sort()
    guard ratios.count >= 5, case let median = ratios[ratios.count / 2], (median - 1).magnitude > 0.1 else {
      return nil
    }
    return "The sensor's heart rates and its intervals contradict each other: the rates are "
      + "\(Int(min(median * 100, 1e9).rounded())) % of what the intervals say."
  }
}
