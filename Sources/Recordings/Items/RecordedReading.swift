import Basics

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
  package var start: Double { time - intervals.reduce(0, +) / 1000 }

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
