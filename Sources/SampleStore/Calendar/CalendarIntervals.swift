import Basics

/// Contiguous intervals of one calendar step each, extending in both directions from an anchor.
///
/// Interval 0 starts at the anchor. Every edge is computed from the anchor, so that months do not drift after the 31st.
/// Times are ticks (see `EpochMicroseconds`).
struct CalendarIntervals {
  let anchor: Int64
  let step: IntervalComponents
  let zone: TimeZone

  /// The anchor's whole second, and the remaining ticks, which are added to every edge.
  private let anchorSecond: Int64
  private let fraction: Int64

  /// The mean length of a step in seconds, for the first guess of an index.
  private let meanLength: Double

  init(anchor: Int64, step: IntervalComponents, zone: TimeZone) {
    self.anchor = anchor
    self.step = step
    self.zone = zone
    anchorSecond = EpochMicroseconds.second(of: anchor)
    fraction = anchor - anchorSecond * EpochMicroseconds.perSecond
    // A month of the Gregorian calendar has 146 097 / 4800 days.
    meanLength = Double(step.months) * 146_097 / 4800 * 86_400 + Double(step.days) * 86_400 + Double(step.seconds)
  }

  /// The start of an interval, which is the end of the preceding one.
  func edge(_ index: Int) -> Int64 {
    let count = Int64(index)
    let civil = zone.advance(anchorSecond, months: Int64(step.months) * count, days: Int64(step.days) * count)
    return (civil + Int64(step.seconds) * count) * EpochMicroseconds.perSecond + fraction
  }

  /// The interval that contains an instant; never an empty one, such as a day that the time zone skips.
  func index(of tick: Int64) -> Int {
    var index = Int((Double(tick - anchor) / Double(EpochMicroseconds.perSecond) / meanLength).rounded(.down))
    while edge(index) > tick { index -= 1 }
    while edge(index + 1) <= tick { index += 1 }
    return index
  }
}

/// The store's unit of time: whole microseconds since 1970-01-01T00:00:00Z, without leap seconds.
enum EpochMicroseconds {
  static let perSecond: Int64 = 1_000_000

  /// The second that contains a tick.
  static func second(of tick: Int64) -> Int64 { tick / perSecond - (tick % perSecond < 0 ? 1 : 0) }
}
