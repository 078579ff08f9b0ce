/// Sums a cumulative type over several sources without counting any time twice.
///
/// At every instant, only the highest-priority source with a sample there counts. If another source covers part of a
/// sample, the rest counts in proportion to its time. Samples of one source all count, even where they overlap. A
/// sample without duration counts unless a source of higher priority has a sample at that instant.
///
/// Samples arrive in order of their starts; each is kept only until the sweep has passed its end.
struct PrioritySum {
  private struct Active {
    var sample: TimedValue
    /// The time since which it has counted; `nil` while another source counts.
    var since: Int64?
  }

  private var active: [Active] = []
  private var instants: [TimedValue] = []
  /// The earliest end of the active samples.
  private var nextEnd = Int64.max

  /// Adds the next sample.
  mutating func add(_ sample: TimedValue, into interval: inout IntervalTally) {
    advance(to: sample.start, &interval)
    if sample.start == sample.end {
      instants.append(sample)
    } else {
      active.append(Active(sample: sample))
      nextEnd = min(nextEnd, sample.end)
      elect(at: sample.start, &interval)
    }
  }

  /// Counts everything up to the end of the interval.
  mutating func close(_ interval: inout IntervalTally) {
    advance(to: interval.end, &interval)
    for index in active.indices {
      guard let since = active[index].since else { continue }
      Self.count(active[index].sample, from: since, to: interval.end, &interval)
      active[index].since = interval.end
    }
  }

  private mutating func advance(to time: Int64, _ interval: inout IntervalTally) {
    if let instant = instants.first?.start, instant < time { countInstants(&interval) }
    while nextEnd <= time, !active.isEmpty {
      let end = nextEnd
      for index in active.indices.reversed() where active[index].sample.end == end {
        let ended = active.remove(at: index)
        if let since = ended.since { Self.count(ended.sample, from: since, to: end, &interval) }
      }
      nextEnd = active.reduce(.max) { min($0, $1.sample.end) }
      elect(at: end, &interval)
    }
  }

  /// Selects the active source of highest priority to count from now on.
  private mutating func elect(at time: Int64, _ interval: inout IntervalTally) {
    let best = active.reduce(Int.max) { min($0, $1.sample.source) }
    for index in active.indices {
      if active[index].sample.source == best {
        if active[index].since == nil { active[index].since = time }
      } else if let since = active[index].since {
        Self.count(active[index].sample, from: since, to: time, &interval)
        active[index].since = nil
      }
    }
  }

  private mutating func countInstants(_ interval: inout IntervalTally) {
    let best = (active.map(\.sample) + instants).reduce(Int.max) { min($0, $1.source) }
    for instant in instants where instant.source == best {
      Self.count(instant, from: instant.start, to: instant.end, &interval)
    }
    instants.removeAll(keepingCapacity: true)
  }

  private static func count(
    _ sample: TimedValue, from start: Int64, to end: Int64, _ interval: inout IntervalTally
  ) {
    guard end > start || sample.start == sample.end else { return }
    let share = start == sample.start && end == sample.end ? 1 : Double(end - start) / Double(sample.end - sample.start)
    interval.change(sample.source, .overall) { $0.sum += sample.value * share }
  }
}
