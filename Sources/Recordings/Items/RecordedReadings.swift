import Basics

/// Joins the items of one sensor, or of one recorder, to the samples that they are parts of.
///
/// Items with the same sequence number in the journal are one sample; without sequence numbers, items with equal
/// content and time are. A sample that several recorders have cut out of a sensor's stream is thus present once, with
/// the intervals of the first recorder that has them. A sample without skin contact does not count.
package struct RecordedReadings: Sendable {
  /// The samples; in the order of time after ``order()``.
  package private(set) var all: [RecordedReading] = []
  /// The number of samples without skin contact.
  package private(set) var withoutContact = 0
  /// The number of heart rates that do not count because they are not above zero.
  package private(set) var ratesNotAboveZero = 0
  /// The number of intervals that were dropped because they are not above zero.
  package private(set) var intervalsNotAboveZero = 0
  /// The number of samples that precede an earlier one, without rates between two beats; known after ``order()``.
  package private(set) var backwards = 0
  /// The number of repeated samples; known after ``order()``.
  package private(set) var repeated = 0

  private var greatest = -Double.infinity
  // The index of each sequence number; needed from the first one that is not greater than all before.
  private var places: [Double: Int]?

  /// Creates an empty set.
  package init() {}

  /// Takes an item that is a heart rate, with its intervals.
  ///
  /// - Parameters:
  ///   - rate: beats per minute.
  ///   - item: the item.
  ///   - time: the time of the sample, in seconds.
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

  /// Takes an item that is a single interval, in milliseconds, with its end in seconds.
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

  // The index of the sample that an item belongs to; creates a new one if there is none.
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
    // Nearly always it is the previous sample, or a new one.
    if all.last?.sequence == sequence { return all.count - 1 }
    if sequence > greatest { return nil }
    if places == nil {
      places = Dictionary(
        all.indices.compactMap { place in all[place].sequence.map { ($0, place) } }, uniquingKeysWith: { $1 })
    }
    return places?[sequence]
  }

  /// Sorts the samples by time and sequence number, and drops repeated ones.
  package mutating func order() {
    backwards = zip(all, all.dropFirst()).count { Self.isBackwards($0, before: $1) }
    func precedes(_ left: RecordedReading, _ right: RecordedReading) -> Bool {
      left.time != right.time ? left.time < right.time : (left.sequence ?? 0) < (right.sequence ?? 0)
    }
    // Swift's sort is stable.
    if zip(all, all.dropFirst()).contains(where: { precedes($1, $0) }) { all.sort(by: precedes) }
    repeated = all.count { $0.isRepeated && $0.hasContact }
    leaveOutCopies()
  }

  /// Whether a sample lies after the next one without a reason.
  ///
  /// A strap with a slow heart also reports its rate between two beats. Such a rate has the time of its arrival, and the next
  /// beat that of its intervals, which may be a little earlier: both are right, and within the beat's interval.
  private static func isBackwards(_ reading: RecordedReading, before next: RecordedReading) -> Bool {
    guard reading.time > next.time else { return false }
    let isRateBetweenBeats =
      reading.sequence != nil && reading.rate != nil && reading.intervals.isEmpty
      && reading.time - next.time < (next.intervals.last ?? 0) / 1000
    return !isRateBetweenBeats
  }

  private struct Copy: Hashable {
    let rate: Double?
    let intervals: [Double]
  }

  // Without sequence numbers, equal content at the same time is one sample. A separate interval may be one of two equal
  // beats that were delivered together: then the time has room for both.
  private mutating func leaveOutCopies() {
    var seen: Set<Copy> = []
    var isCopy = [Bool](repeating: false, count: all.count)
    for (place, reading) in all.enumerated() where reading.sequence == nil && reading.hasContact {
      if place == 0 || all[place - 1].time != reading.time { seen.removeAll(keepingCapacity: true) }
      isCopy[place] = !seen.insert(Copy(rate: reading.rate, intervals: reading.intervals)).inserted
    }
    guard isCopy.contains(true) else { return }
    let alone = all.indices.filter { all[$0].rate == nil && all[$0].sequence == nil && all[$0].hasContact }
    let areCopies = Repetition.isOne(
      ends: alone.map { all[$0].time }, intervals: alone.map { all[$0].intervals.reduce(0, +) },
      isRepeated: alone.map { isCopy[$0] })
    if !areCopies { for place in alone { isCopy[place] = false } }
    repeated += isCopy.count { $0 }
    all = all.indices.filter { !isCopy[$0] }.map { all[$0] }
  }

  /// The indices in ``all`` of the samples whose intervals are the beats, ascending.
  ///
  /// A sample's intervals are those of its heart rate's item, or otherwise the separate interval items with its
  /// sequence number. Among items without sequence numbers, separate intervals repeat those of heart rates, and count
  /// only if no heart rate has any; if any items have sequence numbers, those without do not count.
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

  /// Prepares these beats for placement in time.
  ///
  /// - Parameter zero: the origin of the time axis, in seconds.
  /// - Returns: the placement; its deliveries are the samples in ``beats``.
  package func placement(since zero: Double = 0) -> BeatPlacement {
    var placement = BeatPlacement()
    for place in beats { placement.take(all[place].intervals, end: all[place].time - zero) }
    return placement
  }
}
