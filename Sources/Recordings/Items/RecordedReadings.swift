import Basics

/// Joins the items of one sensor, or of one recorder, to the readings that they are parts of.
///
/// Items with one number in the journal are one reading; without numbers, what says the same at the same time is. So a
/// reading that several recorders have cut out of a sensor's stream is there once, with the intervals of the first that
/// has them. What came without contact with the skin is a reading that does not count.
package struct RecordedReadings: Sendable {
  /// The readings; in the order of time once ``order()`` has been called.
  package private(set) var all: [RecordedReading] = []
  /// How many came without contact with the skin.
  package private(set) var withoutContact = 0
  /// How many heart rates are not above zero, and do not count.
  package private(set) var ratesNotAboveZero = 0
  /// How many intervals are not above zero, and are left out.
  package private(set) var intervalsNotAboveZero = 0
  /// How many come before an earlier one; known when they are put in order.
  package private(set) var backwards = 0
  /// How many are there again; known when they are put in order.
  package private(set) var repeated = 0

  private var greatest = -Double.infinity
  // The place of each sequence, from the first that is not greater than all before.
  private var places: [Double: Int]?

  /// No readings.
  package init() {}

  /// Takes an item that is a heart rate, with the intervals that came with it.
  ///
  /// - Parameters:
  ///   - rate: beats a minute.
  ///   - item: the item.
  ///   - time: when it was true, in seconds.
  package mutating func take(rate: Double, _ item: HeartItem, at time: Double) {
    let recorder = item.recorder ?? 0
    let place = place(item.sequence, at: time) { $0.matches(rate: rate, at: time, recorder: recorder) }
    note(item, place)
    guard all[place].take(rate: rate, at: time, recorder: recorder) else { return }
    let counts = all[place].hasContact
    if counts, !(rate > 0) { ratesNotAboveZero += 1 }
    let intervals = item.intervals.contains { !($0 > 0) } ? item.intervals.filter { $0 > 0 } : item.intervals
    if counts { intervalsNotAboveZero += item.intervals.count - intervals.count }
    if !intervals.isEmpty { all[place].take(whole: intervals, recorder: recorder) }
  }

  /// Takes an item that is an interval by itself, in milliseconds, which ended at a time in seconds.
  package mutating func take(interval: Double, _ item: HeartItem, at time: Double) {
    let place = place(item.sequence, at: time) { $0.matches(at: time) }
    note(item, place)
    guard interval > 0 else {
      if all[place].hasContact { intervalsNotAboveZero += 1 }
      return
    }
    all[place].take(interval: interval, at: time, recorder: item.recorder ?? 0)
  }

  private mutating func note(_ item: HeartItem, _ place: Int) { if all[place].take(item) { withoutContact += 1 } }

  // The place of the reading that an item belongs to, a new one where none is.
  private mutating func place(_ sequence: Double?, at time: Double, _ matches: (RecordedReading) -> Bool) -> Int {
    if let sequence, let place = known(sequence), matches(all[place]) { return place }
    if let sequence {
      greatest = max(greatest, sequence)
      places?[sequence] = all.count
    }
    all.append(RecordedReading(sequence: sequence, time: time))
    return all.count - 1
  }

  private mutating func known(_ sequence: Double) -> Int? {
    // Nearly always it is the one before, or a new one.
    if all.last?.sequence == sequence { return all.count - 1 }
    if sequence > greatest { return nil }
    if places == nil {
      places = Dictionary(
        all.indices.compactMap { place in all[place].sequence.map { ($0, place) } }, uniquingKeysWith: { $1 })
    }
    return places?[sequence]
  }

  /// Puts them in the order of time, those of one time in that of their numbers, and leaves out what is there again.
  package mutating func order() {
    backwards = zip(all, all.dropFirst()).count { $0.time > $1.time }
    func precedes(_ left: RecordedReading, _ right: RecordedReading) -> Bool {
      left.time != right.time ? left.time < right.time : (left.sequence ?? 0) < (right.sequence ?? 0)
    }
    // Swift's sort is stable.
    if zip(all, all.dropFirst()).contains(where: { precedes($1, $0) }) { all.sort(by: precedes) }
    repeated = all.count { $0.isRepeated && $0.hasContact }
    leaveOutCopies()
  }

  private struct Copy: Hashable {
    let rate: Double?
    let intervals: [Double]
  }

  // Without numbers, the same at the same time is one reading. An interval by itself may be one of two beats that were
  // delivered at once: then there is time for both.
  private mutating func leaveOutCopies() {
    var seen: Set<Copy> = []
    var isCopy = [Bool](repeating: false, count: all.count)
    for (place, reading) in all.enumerated() where reading.sequence == nil && reading.hasContact {
      if place == 0 || all[place - 1].time != reading.time { seen.removeAll(keepingCapacity: true) }
      isCopy[place] = !seen.insert(Copy(rate: reading.rate, intervals: reading.intervals)).inserted
    }
    guard isCopy.contains(true) else { return }
    keepSharedTimes(&isCopy)
    let alone = all.indices.filter { all[$0].rate == nil && all[$0].sequence == nil && all[$0].hasContact }
    let areCopies = Repetition.isOne(
      ends: alone.map { all[$0].time }, intervals: alone.map { all[$0].intervals.reduce(0, +) },
      isRepeated: alone.map { isCopy[$0] })
    if !areCopies { for place in alone { isCopy[place] = false } }
    repeated += isCopy.count { $0 }
    all = all.indices.filter { !isCopy[$0] }.map { all[$0] }
  }

  // Where a time has several different rates, its resolution is coarser than the readings: equal ones are readings too.
  private func keepSharedTimes(_ isCopy: inout [Bool]) {
    var start = 0
    for end in 1...all.count where end == all.count || all[end].time != all[start].time {
      let rates = (start..<end).filter { all[$0].rate != nil && all[$0].intervals.isEmpty && all[$0].sequence == nil }
      if Set(rates.map { all[$0].rate }).count > 1 { for place in rates { isCopy[place] = false } }
      start = end
    }
  }

  /// The readings whose intervals are the beats, by their place in ``all``, ascending.
  ///
  /// A reading's intervals are those that came with its heart rate, or else the items of intervals with its number. Of
  /// items without numbers, intervals by themselves repeat what came with heart rates, and count only where no heart
  /// rate has any; where items have numbers, none without counts.
  package var beats: [Int] {
    var (numbered, besideRates, alone): ([Int], [Int], [Int]) = ([], [], [])
    for (place, reading) in all.enumerated() where reading.hasContact && !reading.intervals.isEmpty {
      if reading.sequence != nil {
        numbered.append(place)
      } else if reading.isWhole {
        besideRates.append(place)
      } else {
        alone.append(place)
      }
    }
    return [numbered, besideRates, alone].first { !$0.isEmpty } ?? []
  }

  /// Those beats, to be placed in time.
  ///
  /// - Parameter zero: the time that is zero, in seconds.
  /// - Returns: the beats; their deliveries are the readings in ``beats``.
  package func placement(since zero: Double = 0) -> BeatPlacement {
    var placement = BeatPlacement()
    for place in beats { placement.take(all[place].intervals, end: all[place].time - zero) }
    return placement
  }
}
