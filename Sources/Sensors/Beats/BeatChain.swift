package import Quantities

/// Rebuilds when beats happened from the chain of RR intervals and the times at which they arrived.
///
/// Each beat lies one RR interval after the one before, so the intervals place all beats of a chain relative to each
/// other; arrivals place the chain on our clock. An arrival can only be late, so the chain is moved back to the earliest
/// one (less the sensor's latency), never so far that a beat would lie before its predecessor. Where beats were lost, the
/// arrivals are later than the intervals say, and a new chain begins; so it does after a loss of contact. A sensor's
/// clock that runs slow or fast is followed (see the source of `ArrivalOffset` for the thresholds).
///
/// A sensor that says how many beats it lost does not need this; Bluetooth's heart-rate service does not say.
package struct BeatChain: Sendable {
  /// What the sensor takes from a beat to its delivery, at least.
  package let latency: Duration

  /// How many chains there were so far, this one included.
  package private(set) var chainCount = 0

  private var offset = ArrivalOffset(standsStill: true)
  /// The sum of the intervals of this chain, in nanoseconds; half nanoseconds add up (1/1024 s is not a whole number).
  private var elapsed = 0.0
  private var lastBeat: Moment?
  private var lastIntervals: [Double] = []

  /// A chain without beats.
  ///
  /// - Parameter latency: what the sensor takes from a beat to its delivery, at least.
  package init(latency: Duration = .zero) { self.latency = latency }

  /// Ends the chain: the next interval begins a new one.
  package mutating func end() {
    offset = ArrivalOffset(standsStill: true)
    elapsed = 0
    lastIntervals = []
  }

  /// Sets `HeartReading.happened` of readings that arrived together, by their intervals and `HeartReading.arrived`.
  ///
  /// What arrives together is placed together, by its last beat: a burst after a stall is late in front and on time at its
  /// end. A reading without intervals happened when it arrived, less the latency; so did one that says that contact is
  /// lost, which also ends the chain.
  package mutating func place(_ readings: inout [HeartReading]) {
    var start = 0
    while start < readings.count {
      guard readings[start].contact != false else {
        readings[start].happened = readings[start].arrived.advanced(by: .zero - latency)
        end()
        start += 1
        continue
      }
      var stop = start + 1
      while stop < readings.count, readings[stop].contact != false { stop += 1 }
      place(&readings, start..<stop)
      start = stop
    }
  }

  private mutating func place(_ readings: inout [HeartReading], _ range: Range<Int>) {
    let arrival = readings[range.upperBound - 1].arrived.advanced(by: .zero - latency)
    let duplicates = duplicates(in: readings, range, arrival: arrival)
    let before = elapsed
    for index in range where duplicates?.contains(index) != true {
      for interval in readings[index].rrIntervals { elapsed += interval * 1e6 }
    }
    var source = before
    if elapsed > before, offset.learn(source: elapsed, arrival: arrival) == .afresh { chainCount += 1 }
    for index in range {
      let reading = readings[index]
      guard !reading.rrIntervals.isEmpty else {
        readings[index].happened = reading.arrived.advanced(by: .zero - latency)
        continue
      }
      if duplicates?.contains(index) != true {
        for interval in reading.rrIntervals { source += interval * 1e6 }
        lastIntervals = reading.rrIntervals
      }
      let placed = min(offset.moment(ofSource: source) ?? arrival, arrival)
      let beat = lastBeat.map { max($0, placed) } ?? placed
      readings[index].happened = beat
      lastBeat = beat
    }
  }

  /// The readings that repeat the one before them; looked for only where the beats came sooner than they can have.
  private func duplicates(in readings: [HeartReading], _ range: Range<Int>, arrival: Moment) -> Set<Int>? {
    var total = elapsed
    for index in range { for interval in readings[index].rrIntervals { total += interval * 1e6 } }
    guard offset.excess(ofSource: total, arrival: arrival) > .milliseconds(100) else { return nil }
    var found: Set<Int> = []
    var previous = lastIntervals
    for index in range where !readings[index].rrIntervals.isEmpty {
      if readings[index].rrIntervals == previous { found.insert(index) }
      previous = readings[index].rrIntervals
    }
    return found.isEmpty ? nil : found
  }
}
