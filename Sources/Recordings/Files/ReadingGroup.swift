import Basics

/// The items of one recorder or one sensor in a heart file.
///
/// Several recorders may have cut the same sample out of a sensor's stream: its rate and its intervals count once.
struct ReadingGroup {
  var sensor: String?
  /// The number of its items, including rejected ones.
  var count = 0

  private var recorders: [String] = []
  private var known: Set<Int> = []
  var readings = RecordedReadings()
  /// The first rejected items, as sentences, and the number of all rejected ones.
  private(set) var broken: [String] = []
  private(set) var brokenCount = 0

  mutating func leaveOut(_ item: Int, _ reason: String) {
    brokenCount += 1
    if broken.count < 3 { broken.append("Item \(item) is left out: \(reason).") }
  }

  /// Registers the recorder of an item, by its number; its name is looked up only if it is new.
  mutating func note(_ recorder: Int, _ name: () -> String) {
    if known.insert(recorder).inserted { recorders.append(name()) }
  }

  /// When the first sample began, in seconds; `nil` if there is none.
  var start: Double? { readings.all.lazy.filter(\.hasContact).map(\.start).min() }

  /// Converts the group to a recording, and checks its plausibility.
  ///
  /// - Parameters:
  ///   - path: the path it was read from.
  ///   - zero: the origin of its time axis, in seconds.
  /// - Returns: the recording, and a clause for each unit that cannot be right.
  mutating func recording(
    path: String, zero: Double
  ) -> (recording: HeartRecording, implausible: [String]) {
    readings.order()
    let rates = readings.all.compactMap { reading in
      reading.hasContact ? reading.rate.map { (time: reading.time - zero, value: $0) } : nil
    }
    let series = readings.placement(since: zero).intervalSeries
    let ordered = HeartRates(rates)
    let implausible = [IntervalUnits.complaint(series), HeartRateUnits.complaint(ordered.values)].compactMap(\.self)
    let recording = HeartRecording(
      path: path, recorder: recorders.isEmpty ? nil : recorders.joined(separator: "+"), sensor: sensor, beats: series,
      rates: ordered, remarks: remarks(series, ordered))
    return (recording, implausible)
  }

  private func remarks(_ series: IntervalSeries?, _ rates: HeartRates) -> [String] {
    var remarks = broken
    if brokenCount > broken.count { remarks.append("\(brokenCount - broken.count) more items are left out.") }
    if readings.withoutContact > 0 {
      remarks.append("\(Count.of(readings.withoutContact, "reading")) left out: the sensor did not touch the skin.")
    }
    if readings.backwards > 0 {
      remarks.append(
        "\(Count.of(readings.backwards, "reading")) earlier than the one before; readings are put in the order of time."
      )
    }
    if readings.repeated > 0 {
      remarks.append("\(Count.of(readings.repeated, "reading")) there more than once; each counts once.")
    }
    if readings.ratesNotAboveZero > 0 {
      remarks.append("\(Count.of(readings.ratesNotAboveZero, "heart rate")) left out: not above zero.")
    }
    if readings.intervalsNotAboveZero > 0 {
      remarks.append("\(Count.of(readings.intervalsNotAboveZero, "interval")) left out: not above zero.")
    }
    remarks += rates.sharedRemarks
    if let series { remarks += series.gapRemarks + [series.contradiction(of: rates)].compactMap(\.self) }
    return remarks
  }
}

/// Counts as phrases.
enum Count {
  /// Forms the phrase: `One row is`, `3 rows are`.
  static func of(_ count: Int, _ noun: String, verb: (one: String, many: String)? = ("is", "are")) -> String {
    let verb = verb.map { " " + (count == 1 ? $0.one : $0.many) } ?? ""
    return count == 1 ? "One \(noun)\(verb)" : "\(count) \(noun)s\(verb)"
  }
}

extension IntervalSeries {
  /// The remarks on its gaps.
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

  /// The remark that a sensor's heart rates contradict its intervals over their common time; `nil` if they agree.
  func contradiction(of rates: HeartRates) -> String? {
    var ratios: [Double] = []
    var place = 0
    for (time, rate) in zip(rates.times, rates.values) {
      // The time of the beat with which the rate was reported may be rounded.
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
