/// The tallies of all intervals that hold something, in the order of time.
///
/// Without intervals of the calendar there is one that holds everything.
struct Tallies {
  /// One interval: where it lies, and what is counted in it.
  struct Interval {
    /// Which interval of the calendar it is.
    let index: Int
    let start: Int64
    let end: Int64
    var overall = Tally()
    /// By the place of their source in `sources` of all; as long as the greatest that was met here.
    var sources: [Tally] = []
  }

  /// What has been counted.
  private(set) var intervals: [Interval] = []

  /// The sources that were met, in the order in which they were; only by source.
  private(set) var sources: [Int] = []
  /// The place of each source among them; -1 for one that was not met.
  private var sourcePlaces: [Int] = []

  private let calendar: CalendarIntervals?
  private let bySource: Bool

  /// The place of the interval that was used last, which is nearly always the one used next.
  private var place = 0

  init(calendar: CalendarIntervals?, bySource: Bool) {
    self.calendar = calendar
    self.bySource = bySource
  }

  /// Changes the tallies (of all and of the source) of every interval in which a stretch of time or an instant lies.
  ///
  /// An instant ends where it starts. What is to be done is told the interval's edges.
  mutating func change(
    from start: Int64, to end: Int64, source: Int, scope: Scope = .both,
    _ change: (inout Tally, _ lower: Int64, _ upper: Int64) -> Void
  ) {
    find(start)
    let own = bySource && scope != .overall ? sourcePlace(source) : 0
    while true {
      let (lower, upper) = (intervals[place].start, intervals[place].end)
      if scope != .source { change(&intervals[place].overall, lower, upper) }
      if bySource, scope != .overall {
        while intervals[place].sources.count <= own { intervals[place].sources.append(Tally()) }
        change(&intervals[place].sources[own], lower, upper)
      }
      guard end > upper else { return }
      find(upper)
    }
  }

  private mutating func sourcePlace(_ source: Int) -> Int {
    while sourcePlaces.count <= source { sourcePlaces.append(-1) }
    if sourcePlaces[source] < 0 {
      sourcePlaces[source] = sources.count
      sources.append(source)
    }
    return sourcePlaces[source]
  }

  /// Whose tallies are changed.
  enum Scope {
    case both
    case overall
    case source
  }

  /// Makes the interval in which an instant lies the current one.
  private mutating func find(_ tick: Int64) {
    if place < intervals.count, intervals[place].start <= tick, tick < intervals[place].end { return }
    // Samples come in the order of their starts, so that the interval is the last one or close to it.
    place = intervals.count
    while place > 0, intervals[place - 1].start > tick { place -= 1 }
    if place > 0, tick < intervals[place - 1].end {
      place -= 1
      return
    }
    intervals.insert(interval(around: tick), at: place)
  }

  private func interval(around tick: Int64) -> Interval {
    guard let calendar else { return Interval(index: 0, start: .min, end: .max) }
    let index = calendar.index(of: tick)
    return Interval(index: index, start: calendar.edge(index), end: calendar.edge(index + 1))
  }
}
