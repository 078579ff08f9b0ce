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
  private(set) var withoutContact = 0
  /// The number of heart rates that do not count because they are not above zero.
  private(set) var ratesNotAboveZero = 0
  /// The number of intervals that were dropped because they are not above zero.
  private(set) var intervalsNotAboveZero = 0
  /// The number of samples that precede an earlier one, without rates between two beats; known after ``order()``.
  private(set) var backwards = 0
  /// The number of repeated samples; known after ``order()``.
  private(set) var repeated = 0

  private var greatest = -Double.infinity
  // The index of each sequence number; needed from the first one that is not greater than all before.
  private var places: [Double: Int]?

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

/// Distinguishes intervals that were written twice from beats that were delivered together.
enum Repetition: Sendable {
  // A longer time is a gap between beats, in seconds.
  private static let maxLength = 3.0

  /// Whether repeated intervals fit the time better if they count once.
  ///
  /// - Parameters:
  ///   - ends: the end of each interval, in seconds, ascending.
  ///   - intervals: the intervals in milliseconds.
  ///   - isRepeated: whether an equal interval with the same end precedes it.
  /// - Returns: whether they count once; `false` also if nothing is repeated.
  static func isOne(ends: [Double], intervals: [Double], isRepeated: [Bool]) -> Bool {
    let time = zip(ends, ends.dropFirst()).reduce((intervals.first ?? 0) / 1000) { $0 + min($1.1 - $1.0, maxLength) }
    let all = intervals.reduce(0, +) / 1000
    let twice = zip(intervals, isRepeated).reduce(0) { $0 + ($1.1 ? $1.0 : 0) } / 1000
    return twice > 0 && (all - twice - time).magnitude <= (all - time).magnitude
  }
}

/// One message of a sensor, joined from the items that its recorders have kept.
package struct RecordedReading: Sendable {
  /// The sequence number in the trial's journal; `nil` if the file has none.
  package let sequence: Double?

  /// The time of the sample in seconds: the end of its last interval.
  package private(set) var time: Double

  /// Beats per minute, from the first recorder that has them; `nil` if none has.
  package private(set) var rate: Double?

  /// Intervals in milliseconds, oldest first, from the first recorder that has them.
  package private(set) var intervals: [Double] = []

  /// Whether the intervals belong to the heart rate's item; otherwise they are separate items of one recorder.
  private(set) var isWhole = false

  /// Whether the sensor had skin contact; `nil` if unknown.
  package private(set) var contact: Bool?

  /// The sender's own time of the sample, in seconds of its clock.
  package private(set) var senderTime: Double?

  /// Whether a recorder has it twice.
  private(set) var isRepeated = false

  // The recorder of the intervals.
  private var recorder: Int?
  // The end of each interval that is a separate item.
  private var ends: [Double] = []
  // The recorders that have its rate, one bit for each of the first 64.
  private var rateRecorders: UInt64 = 0

  // The largest distance of items of one sample, in seconds; the same sequence number beyond it belongs to another
  // sample.
  private static let maxLength = 20.0

  init(sequence: Double?, time: Double) {
    self.sequence = sequence
    self.time = time
  }

  /// Whether the sample counts: the sensor did not report a loss of contact.
  package var hasContact: Bool { contact != false }

  /// The beginning of its first interval, or otherwise its time, in seconds.
  var start: Double { time - intervals.reduce(0, +) / 1000 }

  /// Whether a heart rate can belong to this sample.
  func matches(rate: Double, at time: Double, recorder: Int) -> Bool {
    guard self.rate != nil else { return matches(at: time) }
    return self.time == time && (!hasRate(of: recorder) || self.rate == rate)
  }

  /// Whether an interval can belong to this sample.
  func matches(at time: Double) -> Bool { (self.time - time).magnitude <= Self.maxLength }

  private func hasRate(of recorder: Int) -> Bool { recorder < 64 && rateRecorders & 1 << recorder != 0 }

  /// Takes an item's members other than its value.
  ///
  /// - Returns: whether it is the first item to report a loss of contact.
  mutating func take(_ item: HeartItem) -> Bool {
    if senderTime == nil { senderTime = item.senderTime }
    guard let contact = item.contact else { return false }
    let isFirst = !contact && hasContact
    self.contact = contact && hasContact
    return isFirst
  }

  /// Takes a recorder's copy of the rate.
  ///
  /// - Returns: whether it is the first copy.
  mutating func take(rate: Double, at time: Double, recorder: Int) -> Bool {
    let isFirst = self.rate == nil
    if hasRate(of: recorder) { isRepeated = true }
    if recorder < 64 { rateRecorders |= 1 << recorder }
    guard isFirst else { return false }
    self.rate = rate
    self.time = time
    return true
  }

  /// Takes the intervals of the heart rate's item.
  mutating func take(whole intervals: [Double], recorder: Int) {
    self.intervals = intervals
    self.recorder = recorder
    isWhole = true
    ends = []
  }

  /// Takes an interval that is a separate item, unless the sample has it already.
  mutating func take(interval: Double, at time: Double, recorder: Int) {
    guard !isWhole, self.recorder == nil || self.recorder == recorder else { return }
    if zip(ends, intervals).contains(where: { $0 == (time, interval) }) {
      isRepeated = true
      return
    }
    self.recorder = recorder
    // Items may be in any order.
    let place = ends.firstIndex { $0 > time } ?? ends.count
    intervals.insert(interval, at: place)
    ends.insert(time, at: place)
    self.time = rate == nil ? ends[ends.count - 1] : self.time
  }
}
