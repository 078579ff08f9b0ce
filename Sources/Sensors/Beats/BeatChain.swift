import Quantities

/// Reconstructs the times of beats from the chain of RR intervals and their arrival times.
///
/// Each beat lies one RR interval after its predecessor, so the intervals place all beats of a chain relative to each
/// other; arrivals place the chain on the monotonic clock. An arrival can only be late, so the chain is moved back to
/// the earliest one (minus the sensor's latency), but never so far that a beat would precede its predecessor. Where
/// beats were lost, arrivals are later than the intervals predict, and a new chain begins, as it does after loss of
/// contact. The chain follows a sensor clock that runs slow or fast (see `ArrivalOffset` for the thresholds).
///
/// A sensor that reports how many beats it lost does not need this; the Bluetooth heart rate service does not report
/// it.
struct BeatChain: Sendable {
  /// The sensor's minimum delay from a beat to its delivery.
  let latency: Duration

  /// The number of chains so far, including the current one.
  private(set) var chainCount = 0

  private var offset = ArrivalOffset(.beats)
  /// The sum of the chain's intervals in nanoseconds; a double, because multiples of 1/1024 s are not whole
  /// nanoseconds.
  private var elapsed = 0.0
  private var lastBeat: Moment?
  private var lastIntervals: [Double] = []

  /// Creates a chain without beats.
  ///
  /// - Parameter latency: the sensor's minimum delay from a beat to its delivery.
  init(latency: Duration = .zero) { self.latency = latency }

  /// Ends the chain; the next interval begins a new one.
  mutating func end() {
    offset.end()
    elapsed = 0
    lastIntervals = []
  }

  /// Sets `HeartReading.happened` from the intervals and `HeartReading.arrived`.
  ///
  /// Samples with the same arrival time are placed together by their last beat: in a burst after a stall, the first
  /// beats are late and the last is on time. A sample without intervals happened at its arrival, minus the latency; so
  /// did a sample without contact, which also ends the chain.
  mutating func place(_ readings: inout [HeartReading]) {
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
    if elapsed > before, offset.learn(source: elapsed, arrival: arrival) == .restarted { chainCount += 1 }
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

  /// The samples that repeat their predecessor; searched for only if the beats came earlier than possible.
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
