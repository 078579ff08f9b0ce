import Basics

/// What a sensor said at once, as far as its recorders have kept it.
package struct RecordedReading: Sendable {
  /// The number of the reading in the trial's journal; `nil` where its file has none.
  package let sequence: Double?

  /// When it was true, in seconds: the end of its last interval.
  package private(set) var time: Double

  /// Beats a minute, as the first recorder has them; `nil` where none has.
  package private(set) var rate: Double?

  /// Intervals in milliseconds, oldest first, of the one recorder that had them first.
  package private(set) var intervals: [Double] = []

  /// Whether the intervals came with the heart rate; otherwise they are items of one recorder.
  private(set) var isWhole = false

  /// Whether the sensor touched the skin; `nil` where nothing says so.
  package private(set) var contact: Bool?

  /// When the sender says that it happened, in seconds of its own clock.
  package private(set) var senderTime: Double?

  /// Whether a recorder has it twice.
  private(set) var isRepeated = false

  // The recorder whose intervals they are.
  private var recorder: Int?
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

  /// Whether it counts: the sensor did not lack contact.
  package var hasContact: Bool { contact != false }

  /// When its first interval began, or when it was true, in seconds.
  package var start: Double { time - intervals.reduce(0, +) / 1000 }

  /// Whether a heart rate can be this reading's.
  func matches(rate: Double, at time: Double, recorder: Int) -> Bool {
    guard self.rate != nil else { return matches(at: time) }
    return self.time == time && (!hasRate(of: recorder) || self.rate == rate)
  }

  /// Whether an interval can be this reading's.
  func matches(at time: Double) -> Bool { (self.time - time).magnitude <= Self.longest }

  private func hasRate(of recorder: Int) -> Bool { recorder < 64 && rateRecorders & 1 << recorder != 0 }

  /// Takes what an item says besides its value.
  ///
  /// - Returns: whether it is the first to say that there was no contact.
  mutating func take(_ item: HeartItem) -> Bool {
    if senderTime == nil { senderTime = item.senderTime }
    guard let contact = item.contact else { return false }
    let isFirst = !contact && hasContact
    self.contact = contact && hasContact
    return isFirst
  }

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
