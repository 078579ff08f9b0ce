import Quantities

/// The stretches of time in which samples follow each other closely: whatever the order in which samples arrive, the
/// stretches are those of their times, and what a late sample fills was never a gap.
struct SampleStretches {
  /// Two samples no further apart than this belong to one stretch.
  let reach: Duration

  /// The stretches from the first to the last sample of each, in the order of time, further apart than ``reach``.
  private(set) var all: [ClosedRange<Duration>] = []
  private(set) var samples = 0

  init(reach: Duration) { self.reach = reach }

  /// Takes a sample: an instant, or what it lasted.
  mutating func insert(from start: Duration, to end: Duration) {
    samples += 1
    // Nearly always the last one, or after it.
    var first = all.endIndex
    while first > 0, all[first - 1].upperBound + reach >= start { first -= 1 }
    var next = first
    var merged = min(start, end)...max(start, end)
    while next < all.endIndex, all[next].lowerBound - reach <= end {
      merged = min(merged.lowerBound, all[next].lowerBound)...max(merged.upperBound, all[next].upperBound)
      next += 1
    }
    all.replaceSubrange(first..<next, with: [merged])
  }

  /// The mean time between samples that follow each other; `nil` where none does.
  var interval: Duration? {
    let pairs = samples - all.count
    guard pairs > 0 else { return nil }
    return all.reduce(.zero) { $0 + ($1.upperBound - $1.lowerBound) } / pairs
  }

  /// The parts of a time without a sample that are longer than `longest`.
  func silences(in span: Range<Duration>, longerThan longest: Duration) -> [Range<Duration>] {
    var silences: [Range<Duration>] = []
    var known = span.lowerBound
    for stretch in all where stretch.upperBound >= span.lowerBound && stretch.lowerBound <= span.upperBound {
      if stretch.lowerBound - known > longest { silences.append(known..<stretch.lowerBound) }
      known = max(known, stretch.upperBound)
    }
    if span.upperBound - known > longest { silences.append(known..<span.upperBound) }
    return silences
  }

  /// How much of a time samples cover, each to the next one, but for no longer than ``reach``; at either end as much as
  /// one usual interval may be missing.
  func covered(of span: Range<Duration>) -> Duration {
    let allowance = min(interval ?? .zero, reach)
    var covered = Duration.zero
    var head = span.upperBound
    var tail = span.lowerBound
    for stretch in all {
      let part = (stretch.lowerBound..<stretch.upperBound + reach).clamped(to: span)
      guard !part.isEmpty else { continue }
      covered += part.length
      (head, tail) = (min(head, part.lowerBound), max(tail, part.upperBound))
    }
    guard covered > .zero else { return .zero }
    return covered + min(allowance, head - span.lowerBound) + min(allowance, span.upperBound - tail)
  }
}
