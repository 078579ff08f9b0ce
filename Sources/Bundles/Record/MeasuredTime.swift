package import Basics
package import Quantities

/// A moment since the trial's zero that was measured.
package struct MeasuredTime: Hashable, Sendable, Codable, CheckedInJSON {
  /// The best estimate.
  package var time: Duration
  /// The truth lies within this of the estimate.
  package var uncertainty: Duration

  private enum CodingKeys: String, CodingKey {
    case time = "t"
    case uncertainty
  }

  /// What is wrong with numbers of the right type.
  package var jsonProblem: String? { uncertainty < .zero ? "“uncertainty_ns” is negative" : nil }

  package init(time: Duration, uncertainty: Duration) {
    self.time = time
    self.uncertainty = uncertainty
  }
}

/// The calendar read beside the trial's clock: at the zero, and at the end.
package struct CalendarReading: Hashable, Sendable, Codable, CheckedInJSON {
  /// The calendar's time.
  package var wall: WallTime
  /// The time to which it belongs, since the trial's zero.
  package var time: Duration
  /// How far it may be off by the reading itself.
  package var uncertainty: Duration
  /// Whether a time server keeps the calendar; `nil` where that is not known.
  package var isSynchronized: Bool?

  private enum CodingKeys: String, CodingKey {
    case wall, uncertainty
    case time = "t"
    case isSynchronized = "synchronized"
  }

  /// What is wrong with numbers of the right type.
  package var jsonProblem: String? { uncertainty < .zero ? "“uncertainty_ns” is negative" : nil }

  package init(wall: WallTime, time: Duration = .zero, uncertainty: Duration, isSynchronized: Bool?) {
    self.wall = wall
    self.time = time
    self.uncertainty = uncertainty
    self.isSynchronized = isSynchronized
  }

  /// What a clock read, in the time of the trial that began at `zero`.
  package init(_ reading: WallReading, since zero: Moment) {
    self.init(
      wall: reading.wall, time: zero.duration(to: reading.moment), uncertainty: reading.uncertainty,
      isSynchronized: reading.isSynchronized)
  }
}
