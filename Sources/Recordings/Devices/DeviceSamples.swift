import Basics
import Quantities

/// The samples of a device's file, in the file's order, with times in microseconds of one clock.
struct DeviceSamples {
  /// What the times count from.
  enum Clock {
    /// 1970-01-01T00:00:00Z.
    case utc
    /// The same, but in a local time without a time zone.
    case local
    /// A local time; the times count from it.
    case elapsed(since: String)
    /// An instant that the file does not tell.
    case unknown
  }

  var clock = Clock.unknown
  var device: String?
  /// The number of entries, with a heart rate or without.
  var entries = 0
  /// What the entries are called.
  var noun = "entry"
  var faults = RowFaults()
  var leftOut: [String: Int] = [:]

  private var rates: [(time: Int64, value: Double)] = []
  private var deliveries: [(end: Int64, intervals: [Double])] = []
  /// Intervals that follow one another from time 0; NaN for a missing one.
  private var chain: [Double] = []

  /// The number of heart rates and intervals.
  private(set) var count = 0

  /// Takes a heart rate.
  mutating func take(rate: Double, at time: Int64) {
    rates.append((time, rate))
    count += 1
  }

  /// Takes intervals in milliseconds that ended before a time.
  mutating func take(intervals: [Double], before end: Int64) {
    deliveries.append((end, intervals))
    count += intervals.count
  }

  /// Takes an interval that begins where the last one ended.
  mutating func take(following interval: Double) {
    chain.append(interval)
    count += 1
  }

  /// The file of which they are.
  ///
  /// - Throws: ``DeviceFault`` if they are no heart data, or have numbers that no heart has.
  func file(_ format: DeviceFormat) throws(DeviceFault) -> DeviceFile {
    func refuse(_ reason: String) -> DeviceFault { DeviceFault(place: .file, reason: reason) }
    let zero = zero
    func seconds(_ time: Int64) -> Double { Double(time - zero) / 1e6 }
    guard !rates.isEmpty || !deliveries.isEmpty || !chain.isEmpty else {
      if faults.count > 0 { throw refuse(faults.refusal(of: entries)) }
      throw refuse(
        "it is a \(format.title) without heart rates"
          + (entries > 0 ? " (\(entries.counted(noun, plural)))" : "") + (others.isEmpty ? "" : "; \(others)")
          + "; export an activity that was recorded with a heart-rate sensor")
    }
    guard faults.count * 2 <= entries else { throw refuse(faults.refusal(of: entries)) }
    var caveats = [faults.caveat(of: entries)].compactMap(\.self)
    let (rates, rateCaveats) = ordered(seconds)
    caveats += rateCaveats
    let beats = series(seconds)
    for caveat in [IntervalUnits.caveat(beats), HeartRateUnits.caveat(rates.values)] {
      if let reason = caveat?.implausibility { throw refuse("\(reason); the file may be damaged") }
    }
    caveats += [rates.sharedCaveat, beats?.gapCaveat, beats?.contradiction(of: rates)].compactMap(\.self)
    var leftOut = leftOut
    let without = entries - faults.count - self.rates.count
    if without > 0, chain.isEmpty { leftOut["\(plural) without a heart rate"] = without }
    return DeviceFile(
      format: format, device: device, start: start(zero), beats: beats, rates: rates, caveats: caveats,
      leftOut: leftOut)
  }

  // What was found and is not read.
  private var others: String {
    leftOut.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key) are not read" }.joined(separator: ", ")
  }

  private var plural: String { noun.hasSuffix("y") ? "\(noun.dropLast())ies" : "\(noun)s" }

  // Times count from the first sample; elapsed ones keep their zero.
  private var zero: Int64 {
    if case .elapsed = clock { return 0 }
    let first = deliveries.first.map { $0.end - Int64($0.intervals.reduce(0, +) * 1000) }
    return [rates.map(\.time).min(), first].compactMap(\.self).min() ?? 0
  }

  private func start(_ zero: Int64) -> DeviceFile.Start? {
    let time = WallTime(microseconds: zero)
    return switch clock {
    case .utc: .instant(time)
    case .local: .local(String(time.precise.dropLast()))
    case .elapsed(let text): .local(text)
    case .unknown: nil
    }
  }

  private func ordered(_ seconds: (Int64) -> Double) -> (HeartRates, [RecordingCaveat]) {
    var caveats: [RecordingCaveat] = []
    var known = rates.filter { $0.value > 0 }
    if known.count < rates.count { caveats.append(.notAboveZero(count: rates.count - known.count, entry: .rate)) }
    let backwards = zip(known, known.dropFirst()).count { $0.time > $1.time }
    if backwards > 0 {
      caveats.append(.outOfOrder(count: backwards, entry: .rate))
    }
    // A lap begins with the entry with which the one before ends, and a file that was joined has entries twice.
    known.sort { ($0.time, $0.value) < ($1.time, $1.value) }
    let count = known.count
    known = known.indices.filter { $0 == 0 || known[$0] != known[$0 - 1] }.map { known[$0] }
    if known.count < count { caveats.append(.repeated(count: count - known.count, entry: .rate)) }
    return (HeartRates(known.map { (seconds($0.time), $0.value) }), caveats)
  }

  private func series(_ seconds: (Int64) -> Double) -> IntervalSeries? {
    if !chain.isEmpty { return IntervalSeries(chain) }
    guard !deliveries.isEmpty else { return nil }
    // Where a device writes an entry less often than each second, a beat waits longer for its delivery.
    let gaps = zip(deliveries, deliveries.dropFirst()).map { $1.end - $0.end }.sorted()
    let isSparse = gaps.isEmpty ? false : gaps[gaps.count / 2] > 1_500_000
    var placement = BeatPlacement(resolution: isSparse ? 2 : 1)
    for (end, intervals) in deliveries { placement.take(intervals, end: seconds(end)) }
    return placement.intervalSeries
  }
}
