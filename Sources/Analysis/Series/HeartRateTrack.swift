import Glibc
package import Recordings

/// A heart rate over time: spans of constant rate, with gaps where it is unknown.
package struct HeartRateTrack: Hashable, Sendable {
  /// A period of constant rate.
  struct Span: Hashable, Sendable {
    /// Its beginning, in seconds.
    let start: Double
    /// Its end, in seconds.
    let end: Double
    /// Beats per minute; the mean if several rates were reported at its end.
    let rate: Double
    /// The lowest and the highest of these rates.
    let range: ClosedRange<Double>
    /// The number of these rates.
    let count: Int

    init(start: Double, end: Double, rate: Double) {
      (self.start, self.end, self.rate) = (start, end, rate)
      (range, count) = (rate...rate, 1)
    }

    /// Creates a span with the rates reported at its end, ascending; at least one.
    init(start: Double, end: Double, rates: ArraySlice<Double>) {
      let lowest = rates.first ?? 0
      (self.start, self.end, count) = (start, end, rates.count)
      range = lowest...(rates.last ?? lowest)
      // Relative to the lowest, so that the mean of equal rates is exact.
      rate = lowest + rates.reduce(0) { $0 + ($1 - lowest) } / Double(max(1, rates.count))
    }

    /// Creates the part of a span from a later time on.
    init(_ span: Span, from start: Double) {
      (self.start, end, rate, range, count) = (max(span.start, start), span.end, span.rate, span.range, span.count)
    }
  }

  /// The spans, in the order of time; they do not overlap.
  let spans: [Span]

  /// The pace of a sensor's rates; `nil` for intervals.
  package let pace: Pace?

  /// The pace of a sensor's rates, which limits how long one rate is valid.
  package struct Pace: Hashable, Sendable {
    /// The median time from one rate to the next, in seconds; one second if there is only one rate.
    let step: Double

    /// The longest span of one rate, in seconds: twice the median step, and at least two seconds.
    package var longest: Double { max(2, 2 * step) }
  }

  /// Creates the track of intervals: each lasts from beat to beat and has the rate 60000 / NN.
  package init(_ series: IntervalSeries) {
    var last = -Double.infinity
    spans = zip(series.intervals, series.ends).map { interval, end in
      defer { last = end }
      return Span(start: max(last, end - interval / 1000), end: end, rate: 60_000 / interval)
    }
    pace = nil
  }

  /// Creates the track of a sensor's rates: each spans the time since its predecessor.
  ///
  /// After a time longer than ``Pace/longest``, and for the first rate, the beginning of a rate's validity is unknown:
  /// it spans the median step, with a gap before. Invalid rates (not a number, or not above zero) are dropped.
  ///
  /// Several rates with the same time, as in tables with times in whole seconds, share the time since their
  /// predecessor: their span has their mean, so that their order makes no difference.
  ///
  /// - Parameters:
  ///   - rates: beats per minute.
  ///   - times: the time of each rate, in seconds.
  /// - Precondition: there are as many times as rates.
  package init(rates: [Double], times: [Double]) {
    precondition(rates.count == times.count, "every rate needs the time at which it was true")
    self.init(zip(times, rates).filter { $0.isFinite && $1.isFinite && $1 > 0 })
  }

  /// Creates the track of the values of another quantity, which are placed like rates; any finite number is valid.
  ///
  /// - Precondition: there are as many times as values.
  init(values: [Double], times: [Double]) {
    precondition(values.count == times.count, "every value needs the time at which it was true")
    self.init(zip(times, values).filter { $0.isFinite && $1.isFinite })
  }

  private init(_ unordered: [(Double, Double)]) {
    let known = unordered.sorted { $0 < $1 }
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

  /// The part with the rates between two times; the first span does not begin before it.
  ///
  /// - Parameters:
  ///   - from: the beginning, in seconds; a rate with exactly this time belongs to the preceding part.
  ///   - to: the end, in seconds.
  /// - Returns: the part, at its times.
  func cut(from: Double, to: Double) -> HeartRateTrack {
    let inside = spans.filter { Self.holds($0.end, from: from, to: to) }
    return HeartRateTrack(
      spans: inside.map { Span($0, from: from) }, pace: pace)
  }

  /// Whether a time lies in the half-open range from `from` (exclusive) to `to` (inclusive).
  package static func holds(_ time: Double, from: Double, to: Double) -> Bool { time > from && time <= to }

  /// The mean rate between two times, with each span weighted by its duration within them.
  ///
  /// Computed second by second, this is the weighted heart rate of psychophysiology.
  ///
  /// - Parameters:
  ///   - from: the beginning, in seconds.
  ///   - to: the end, in seconds.
  /// - Returns: the rate, `nil` if it is unknown throughout, and the covered fraction of the time, from 0 to 1.
  func mean(from: Double, to: Double) -> (rate: Double?, coverage: Double) {
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

func sine(_ angle: Double) -> Double { Glibc.sin(angle) }
func cosine(_ angle: Double) -> Double { Glibc.cos(angle) }
func arctangent(_ y: Double, _ x: Double) -> Double { Glibc.atan2(y, x) }
func logarithm(_ number: Double) -> Double { Glibc.log(number) }

/// The arithmetic mean; `nil` of an empty collection.
func mean(_ numbers: some Collection<Double>) -> Double? {
  numbers.isEmpty ? nil : numbers.reduce(0, +) / Double(numbers.count)
}

/// The standard deviation with `count - lostDegrees` in the denominator; `nil` if that is not above zero.
func standardDeviation(_ numbers: some Collection<Double>, lostDegrees: Int) -> Double? {
  guard let mean = mean(numbers), numbers.count > lostDegrees else { return nil }
  let squares = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  return (squares / Double(numbers.count - lostDegrees)).squareRoot()
}

/// The slope of the least-squares line through points.
func slope(_ x: [Double], _ y: [Double]) -> Double? {
  guard let meanX = mean(x), let meanY = mean(y), x.count == y.count else { return nil }
  let products = zip(x, y).reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) }
  let squares = x.reduce(0) { $0 + ($1 - meanX) * ($1 - meanX) }
  return squares > 0 ? products / squares : nil
}
