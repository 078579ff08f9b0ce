/// What is counted of one interval: for all sources together, and for each.
///
/// Without intervals of the calendar there is one that holds everything.
struct IntervalTally {
  /// Which interval of the calendar it is.
  private(set) var index = 0
  private(set) var start = Int64.min
  private(set) var end = Int64.max
  private(set) var overall = Tally()
  /// By the place of their source in ``sourceRanks``; as long as the greatest that was met here.
  private(set) var sources: [Tally] = []

  /// The sources of all intervals so far, in the order in which they were met; only by source.
  private(set) var sourceRanks: [Int] = []
  /// The place of each source among them; -1 for one that was not met.
  private var sourcePlaces: [Int] = []
  private let bySource: Bool

  init(bySource: Bool) { self.bySource = bySource }

  /// Whose tallies are changed.
  enum Scope {
    case both
    case overall
    case source
  }

  /// Begins another interval, of which nothing is counted yet.
  mutating func begin(_ index: Int, from start: Int64, to end: Int64) {
    self.index = index
    self.start = start
    self.end = end
    overall = Tally()
    sources.removeAll(keepingCapacity: true)
  }

  /// Changes the tally of all, and that of a source.
  @inline(__always)
  mutating func change(_ source: Int, _ scope: Scope = .both, _ change: (inout Tally) -> Void) {
    if scope != .source { change(&overall) }
    guard bySource, scope != .overall else { return }
    let own = place(of: source)
    while sources.count <= own { sources.append(Tally()) }
    change(&sources[own])
  }

  private mutating func place(of source: Int) -> Int {
    while sourcePlaces.count <= source { sourcePlaces.append(-1) }
    if sourcePlaces[source] < 0 {
      sourcePlaces[source] = sourceRanks.count
      sourceRanks.append(source)
    }
    return sourcePlaces[source]
  }
}
