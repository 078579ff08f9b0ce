/// The tallies of one interval: for all sources together, and for each source.
///
/// Without calendar intervals a single one contains everything.
struct IntervalTally {
  /// The index of the calendar interval.
  private(set) var index = 0
  private(set) var start = Int64.min
  private(set) var end = Int64.max
  private(set) var overall = Tally()
  /// The tallies by the index of their source in ``sourceRanks``; as long as the highest index in this interval needs.
  private(set) var sources: [Tally] = []

  /// The sources of all intervals so far, in order of appearance; empty unless results are separated by source.
  private(set) var sourceRanks: [Int] = []
  /// The index of each source in ``sourceRanks``; -1 for a source without samples so far.
  private var sourcePlaces: [Int] = []
  private let bySource: Bool

  init(bySource: Bool) { self.bySource = bySource }

  /// The tallies to change.
  enum Scope {
    case both
    case overall
    case source
  }

  /// Begins another interval with empty tallies.
  mutating func begin(_ index: Int, from start: Int64, to end: Int64) {
    self.index = index
    self.start = start
    self.end = end
    overall = Tally()
    sources.removeAll(keepingCapacity: true)
  }

  /// Changes the overall tally, and that of a source.
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
