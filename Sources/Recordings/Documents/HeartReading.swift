/// What a sensor said at once, as far as its recorders have kept it.
struct HeartReading {
  /// The number of the reading in the trial's journal; `nil` where its file has none.
  let sequence: Double?

  /// When it was true, in seconds: the end of its last interval.
  var time: Double

  /// The sensor's heart rate a minute, as the first recorder has it.
  var rate: Double?

  /// Intervals in milliseconds, oldest first, and the recorder whose they are.
  private(set) var intervals: [Double] = []
  private(set) var recorder: Int?

  /// Whether the intervals came with the heart rate; otherwise they are items of one recorder.
  private(set) var isWhole = false

  /// Whether a recorder has it twice.
  var isRepeated = false

  var hasContact = true

  // When each interval that is an item by itself ended.
  private var ends: [Double] = []
  // The recorders that have its rate, a bit for each of the first 64.
  private var rateRecorders: UInt64 = 0

  // Items of one reading are this close to one another, in seconds; a number that comes again later is another's.
  private static let longest = 20.0

  init(sequence: Double?, time: Double) {
    self.sequence = sequence
    self.time = time
  }

  /// When its first interval began, or when it was true, in seconds.
  var start: Double { time - intervals.reduce(0, +) / 1000 }

  /// Whether a heart rate can be this reading's.
  func matches(rate: Double, at time: Double, recorder: Int) -> Bool {
    guard self.rate != nil else { return matches(at: time) }
    return self.time == time && (!hasRate(of: recorder) || self.rate == rate)
  }

  /// Whether an interval, or an item that does not count, can be this reading's.
  func matches(at time: Double) -> Bool { (self.time - time).magnitude <= Self.longest }

  private func hasRate(of recorder: Int) -> Bool { recorder < 64 && rateRecorders & 1 << recorder != 0 }

  /// Takes a recorder's copy of the rate.
  ///
  /// - Returns: whether it is the first.
  mutating func take(rate: Double, at time: Double, recorder: Int) -> Bool {
    let isFirst = self.rate == nil
    if hasRate(of: recorder) { isRepeated = true }
    if recorder < 64 { rateRecorders |= 1 << recorder }
    guard isFirst else { return false }
    self.rate = rate
    self.time = time
    return true
  }

  /// Takes the intervals that came with the rate.
  mutating func take(whole intervals: [Double], recorder: Int) {
    self.intervals = intervals
    self.recorder = recorder
    isWhole = true
    ends = []
  }

  /// Takes an interval that is an item by itself, unless the reading has it from another item.
  mutating func take(interval: Double, at time: Double, recorder: Int) {
    guard !isWhole, self.recorder == nil || self.recorder == recorder else { return }
    if zip(ends, intervals).contains(where: { $0 == (time, interval) }) {
      isRepeated = true
      return
    }
    self.recorder = recorder
    // Items may stand in any order.
    let place = ends.firstIndex { $0 > time } ?? ends.count
    intervals.insert(interval, at: place)
    ends.insert(time, at: place)
    self.time = rate == nil ? ends[ends.count - 1] : self.time
  }
}

/// Readings of one sensor as they come, each once, and in the order of time at the end.
struct HeartReadings {
  private(set) var all: [HeartReading] = []
  /// How many come before an earlier one, and how many are there again; known when they are put in order.
  private(set) var backwards = 0
  private(set) var repeated = 0

  private var greatest = -Double.infinity
  // The place of each sequence, from the first that is not greater than all before.
  private var places: [Double: Int]?

  subscript(place: Int) -> HeartReading {
    get { all[place] }
    _modify { yield &all[place] }
  }

  /// The place of the reading that an item belongs to, a new one where none is.
  mutating func place(_ sequence: Double?, at time: Double, _ matches: (HeartReading) -> Bool) -> Int {
    if let sequence, let place = known(sequence), matches(all[place]) { return place }
    if let sequence {
      greatest = max(greatest, sequence)
      places?[sequence] = all.count
    }
    all.append(HeartReading(sequence: sequence, time: time))
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
  mutating func order() {
    backwards = zip(all, all.dropFirst()).count { $0.time > $1.time }
    func precedes(_ left: HeartReading, _ right: HeartReading) -> Bool {
      left.time != right.time ? left.time < right.time : (left.sequence ?? 0) < (right.sequence ?? 0)
    }
    // Swift's sort is stable.
    if zip(all, all.dropFirst()).contains(where: { precedes($1, $0) }) { all.sort(by: precedes) }
    repeated = all.count(where: \.isRepeated)
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
    let alone = all.indices.filter { all[$0].rate == nil && all[$0].sequence == nil }
    let areCopies = Repetition.isOne(
      ends: alone.map { all[$0].time }, intervals: alone.map { all[$0].intervals.reduce(0, +) },
      isRepeated: alone.map { isCopy[$0] })
    if !areCopies { for place in alone { isCopy[place] = false } }
    repeated += isCopy.count { $0 }
    all = all.indices.filter { !isCopy[$0] }.map { all[$0] }
  }
}

/// Tells intervals that were written twice from beats that were delivered at once.
enum Repetition {
  // Longer than this is a gap between beats, in seconds.
  private static let longest = 3.0

  /// Whether intervals that stand twice at one time fit the time better when they count once.
  ///
  /// - Parameters:
  ///   - ends: when each ended, in seconds, ascending.
  ///   - intervals: in milliseconds.
  ///   - isRepeated: whether the same stood there before.
  /// - Returns: `false` too where nothing is repeated.
  static func isOne(ends: [Double], intervals: [Double], isRepeated: [Bool]) -> Bool {
    let time = zip(ends, ends.dropFirst()).reduce((intervals.first ?? 0) / 1000) { $0 + min($1.1 - $1.0, longest) }
    let all = intervals.reduce(0, +) / 1000
    let twice = zip(intervals, isRepeated).reduce(0) { $0 + ($1.1 ? $1.0 : 0) } / 1000
    return twice > 0 && (all - twice - time).magnitude <= (all - time).magnitude
  }
}
