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
  /// The first rejected items, and the number of all rejected ones.
  private(set) var broken: [RecordingCaveat] = []
  private(set) var brokenCount = 0

  mutating func leaveOut(_ item: Int, _ reason: String) {
    brokenCount += 1
    if broken.count < 3 { broken.append(.itemDropped(item: item, reason: reason)) }
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
  /// - Returns: the recording, and a caveat for each unit that cannot be right.
  mutating func recording(
    path: String, zero: Double
  ) -> (recording: HeartRecording, implausible: [RecordingCaveat]) {
    readings.order()
    let rates = readings.all.compactMap { reading in
      reading.hasContact ? reading.rate.map { (time: reading.time - zero, value: $0) } : nil
    }
    let series = readings.placement(since: zero).intervalSeries
    let ordered = HeartRates(rates)
    let implausible = [IntervalUnits.caveat(series), HeartRateUnits.caveat(ordered.values)].compactMap(\.self)
    var recording = HeartRecording(
      path: path, recorder: recorders.isEmpty ? nil : recorders.joined(separator: "+"), sensor: sensor, beats: series,
      rates: ordered, caveats: caveats(series, ordered))
    recording.recorders = recorders
    return (recording, implausible)
  }

  private func caveats(_ series: IntervalSeries?, _ rates: HeartRates) -> [RecordingCaveat] {
    var caveats = broken
    func add(_ count: Int, _ caveat: RecordingCaveat) { if count > 0 { caveats.append(caveat) } }
    add(brokenCount - broken.count, .moreItemsDropped(count: brokenCount - broken.count))
    add(readings.withoutContact, .noSkinContact(count: readings.withoutContact, entry: .reading))
    add(readings.backwards, .outOfOrder(count: readings.backwards, entry: .reading))
    add(readings.repeated, .repeated(count: readings.repeated, entry: .reading))
    add(readings.ratesNotAboveZero, .notAboveZero(count: readings.ratesNotAboveZero, entry: .rate))
    add(readings.intervalsNotAboveZero, .notAboveZero(count: readings.intervalsNotAboveZero, entry: .interval))
    let ofSeries = [series?.gapCaveat, series?.contradiction(of: rates)]
    return caveats + ([rates.sharedCaveat] + ofSeries).compactMap(\.self)
  }
}

extension IntervalSeries {
  /// The caveat on its gaps; `nil` without any.
  package var gapCaveat: RecordingCaveat? {
    let gaps = breaks.map { max(0, ends[$0] - intervals[$0] / 1000 - ends[$0 - 1]) }
    return gaps.max().map { .gaps(count: gaps.count, longest_s: $0) }
  }

  /// The caveat that a sensor's heart rates contradict its intervals over their common time; `nil` if they agree.
  func contradiction(of rates: HeartRates) -> RecordingCaveat? {
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
    return .ratesContradictIntervals(ratio: median)
  }
}
