package import Recordings

/// A heart rate over time: spans, each with one rate, with gaps where nothing is known.
package struct HeartRateTrack: Hashable, Sendable {
  /// A time during which the rate is taken to be one number.
  package struct Span: Hashable, Sendable {
    /// Where it begins, in seconds.
    package let start: Double
    /// Where it ends, in seconds.
    package let end: Double
    /// Beats a minute; the mean of the rates that were told at its end, where there are several.
    package let rate: Double
    /// The lowest and the highest of them.
    package let range: ClosedRange<Double>
    /// How many there are.
    package let count: Int

    init(start: Double, end: Double, rate: Double) {
      (self.start, self.end, self.rate) = (start, end, rate)
      (range, count) = (rate...rate, 1)
    }

    /// A span with the rates that were told at its end, ascending; at least one.
    init(start: Double, end: Double, rates: ArraySlice<Double>) {
      let lowest = rates.first ?? 0
      (self.start, self.end, count) = (start, end, rates.count)
      range = lowest...(rates.last ?? lowest)
      // Added to the lowest, so that equal rates have exactly their own mean.
      rate = lowest + rates.reduce(0) { $0 + ($1 - lowest) } / Double(max(1, rates.count))
    }

    /// The span from a later time on.
    init(_ span: Span, from start: Double) {
      (self.start, end, rate, range, count) = (max(span.start, start), span.end, span.rate, span.range, span.count)
    }
  }

  /// The spans, in the order of time; none begins before the one before it ends.
  package let spans: [Span]

  /// How long a sensor's rates stand; `nil` of intervals.
  package let pace: Pace?

  /// How long a sensor's rates stand, by the time that they are usually apart.
  package struct Pace: Hashable, Sendable {
    /// The median time from one rate to the next, in seconds; a second where there is only one rate.
    package let step: Double

    /// The longest that one rate stands for, in seconds: twice the median step, and two seconds at least.
    package var longest: Double { max(2, 2 * step) }
  }

  /// The track of intervals: each lasts from beat to beat and has the rate 60000 / NN.
  package init(_ series: IntervalSeries) {
    var last = -Double.infinity
    spans = zip(series.intervals, series.ends).map { interval, end in
      defer { last = end }
      return Span(start: max(last, end - interval / 1000), end: end, rate: 60_000 / interval)
    }
    pace = nil
  }

  /// The track of a sensor's rates: each stands for the time since the one before it.
  ///
  /// Where that is longer than ``Pace/longest``, and before the first, nobody knows since when a rate was true: it stands
  /// for the median step, and leaves a gap before that. What is not a rate (not a number, not above zero) is left out.
  ///
  /// Several rates told at one time, as in tables with times in whole seconds, share the time since the one before: their
  /// span has their mean, so that the order in which they are given makes no difference.
  ///
  /// - Parameters:
  ///   - rates: beats a minute.
  ///   - times: when they were true, in seconds.
  /// - Precondition: there are as many times as rates.
  package init(rates: [Double], times: [Double]) {
    precondition(rates.count == times.count, "every rate needs the time at which it was true")
    let known = zip(times, rates).filter { $0.isFinite && $1.isFinite && $1 > 0 }.sorted { $0 < $1 }
    let values = known.map(\.1)
    var told: [(time: Double, rates: Range<Int>)] = []
    for (place, (time, _)) in known.enumerated() {
      if let last = told.last, last.time == time {
        told[told.count - 1].rates = last.rates.lowerBound..<place + 1
      } else {
        told.append((time, place..<place + 1))
      }
    }
    let steps = zip(told, told.dropFirst()).map { $1.time - $0.time }.sorted()
    let pace = Pace(step: steps.isEmpty ? 1 : steps[steps.count / 2])
    var last: Double?
    spans = told.map { time, rates in
      defer { last = time }
      let start = last.flatMap { time - $0 <= pace.longest ? $0 : nil } ?? time - pace.step
      return Span(start: start, end: time, rates: values[rates])
    }
    self.pace = pace
  }

  private init(spans: [Span], pace: Pace?) {
    self.spans = spans
    self.pace = pace
  }

  /// The rates that were true between two times; the first stands for no time before the earlier of them.
  ///
  /// - Parameters:
  ///   - from: the beginning, in seconds; a rate that was true just then belongs to what came before.
  ///   - to: the end, in seconds.
  /// - Returns: the part, at its times.
  package func cut(from: Double, to: Double) -> HeartRateTrack {
    let inside = spans.filter { Self.holds($0.end, from: from, to: to) }
    return HeartRateTrack(
      spans: inside.map { Span($0, from: from) }, pace: pace)
  }

  /// Whether a rate that was true at a time belongs to the part between two others; what was true just at the first of them
  /// belongs to what came before.
  package static func holds(_ time: Double, from: Double, to: Double) -> Bool { time > from && time <= to }

  /// The mean rate between two times, each span weighted with the time it lies in them.
  ///
  /// Second by second this is what psychophysiology calls the weighted heart rate.
  ///
  /// - Parameters:
  ///   - from: the beginning, in seconds.
  ///   - to: the end, in seconds.
  /// - Returns: the rate, `nil` where nothing is known, and the share of the time that is known, from 0 to 1.
  package func mean(from: Double, to: Double) -> (rate: Double?, coverage: Double) {
    guard to > from else { return (nil, 0) }
    var (low, high) = (0, spans.count)
    while low < high {
      let middle = (low + high) / 2
      if spans[middle].end <= from { low = middle + 1 } else { high = middle }
    }
    var (sum, known) = (0.0, 0.0)
    for span in spans[low...] {
      let overlap = min(span.end, to) - max(span.start, from)
      if overlap > 0 {
        sum += span.rate * overlap
        known += overlap
      } else if span.start >= to {
        break
      }
    }
    return (known > 0 ? sum / known : nil, min(1, known / (to - from)))
  }
}
