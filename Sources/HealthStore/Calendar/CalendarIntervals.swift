import Basics

/// Intervals without gaps in both directions from an anchor, each a step of the calendar long.
///
/// Interval 0 starts at the anchor; every edge is counted from the anchor, so that months after the 31st do not drift.
/// Times are ticks (see `Tick`).
struct CalendarIntervals {
  let anchor: Int64
  let step: IntervalComponents
  let zone: TimeZone

  /// Whole seconds of the anchor, and the ticks above them, which every edge keeps.
  private let anchorSecond: Int64
  private let fraction: Int64

  /// The mean length of a step in seconds, from which an index is guessed.
  private let meanLength: Double

  init(anchor: Int64, step: IntervalComponents, zone: TimeZone) {
    self.anchor = anchor
    self.step = step
    self.zone = zone
    anchorSecond = Tick.second(of: anchor)
    fraction = anchor - anchorSecond * Tick.perSecond
    // A month of the Gregorian calendar has 146 097 / 4800 days.
    meanLength = Double(step.months) * 146_097 / 4800 * 86_400 + Double(step.days) * 86_400 + Double(step.seconds)
  }

  /// Where an interval starts; where the one before it ends.
  func edge(_ index: Int) -> Int64 {
    let count = Int64(index)
    let civil = zone.advance(anchorSecond, months: Int64(step.months) * count, days: Int64(step.days) * count)
    return (civil + Int64(step.seconds) * count) * Tick.perSecond + fraction
  }

  /// The interval in which an instant lies; never one without length, which a day that a zone skips would be.
  func index(of tick: Int64) -> Int {
    var index = Int((Double(tick - anchor) / Double(Tick.perSecond) / meanLength).rounded(.down))
    while edge(index) > tick { index -= 1 }
    while edge(index + 1) <= tick { index += 1 }
    return index
  }
}
