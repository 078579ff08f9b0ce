package import Recordings

/// The artefact correction of Lipponen and Tarvainen.
///
/// Journal of Medical Engineering and Technology 43:173, 2019.
///
/// Differences of successive intervals, and distances of intervals from the local median, are compared with thresholds
/// derived from the series' own spread. Beats are then moved, inserted or removed, and the regions around the changes
/// are classified again until that finds no fewer artefacts than before.
///
/// The paper replaces corrupted intervals. Here the faulty beat is moved half-way between its neighbours, so that every
/// other beat keeps its recorded time: of an early beat and the pause after it, only that one beat moves.
package struct LipponenTarvainen: Hashable, Sendable {
  /// The factor between quartile deviation and threshold.
  var alpha = 5.2

  /// The slope of the border between ectopic and other beats.
  var c1 = 0.13

  /// The offset of that border.
  var c2 = 0.17

  /// The number of intervals for a threshold.
  var thresholdWidth = 91

  /// The number of intervals for a median.
  var medianWidth = 11

  /// The minimum of a threshold, in milliseconds.
  ///
  /// Sensors report intervals in steps of 1/1024 s. In a series that hardly varies, the paper's thresholds would be one
  /// step or zero, and treat the rounding as an artefact.
  var leastThreshold = 5.0

  /// The largest alternation of intervals from beat to beat that is accepted as the heart's rhythm, as a fraction of
  /// their median.
  ///
  /// Up to there a difference is no artefact unless it is more than twice the local median difference. In a regular
  /// alternation all differences are alike, and the paper's thresholds, derived from their spread, would classify every
  /// beat as ectopic.
  var greatestAlternation = 0.2

  /// The maximum number of consecutive missed beats that are inserted, evenly spaced; a longer interval is dropped as a
  /// gap.
  ///
  /// The paper includes single missed beats only.
  var mostMissed = 3

  /// The maximum number of correction passes, which the paper leaves open.
  var mostPasses = 10

  /// Creates a correction with the paper's parameters, and the station's where the paper has none.
  package init() {}

  /// Corrects a series stretch by stretch; a series of fewer than five intervals is not changed.
  package func correct(_ raw: IntervalSeries) -> CorrectedSeries {
    var artefacts: [Artefact] = []
    var sequences: [BeatSequence] = []
    for stretch in raw.stretches {
      let missed = MissedBeats(raw, stretch, self)
      var start = stretch.lowerBound
      for gap in missed.leftOut + [stretch.upperBound] {
        if start < gap {
          var sequence = BeatSequence(raw, start..<gap, missing: missed.inserted)
          correct(&sequence, in: raw)
          artefacts += sequence.artefacts(raw)
          sequences.append(sequence)
        }
        if gap < stretch.upperBound {
          artefacts.append(
            Artefact(
              index: gap, time: raw.ends[gap], interval: raw.intervals[gap], kind: .missed, change: .leftOut))
        }
        start = gap + 1
      }
    }
    return CorrectedSeries(
      raw: raw, corrected: BeatSequence.series(sequences, raw), artefacts: artefacts,
      method: "Lipponen and Tarvainen 2019: alpha \(alpha), c1 \(c1), c2 \(c2), thresholds of \(thresholdWidth) and "
        + "medians of \(medianWidth) intervals, thresholds at least \(leastThreshold) ms, alternation to "
        + "\(greatestAlternation) of the median accepted, at most \(mostMissed) beats in a row inserted, at most \(mostPasses) "
        + "passes")
  }

  /// The number of intervals that a classification needs.
  static let minIntervals = 5

  /// The intervals that a range is judged with: its own, and those around it, also beyond gaps, if it has fewer than a
  /// median needs.
  func surroundings(of range: Range<Int>, in raw: IntervalSeries) -> Range<Int> {
    guard range.count < medianWidth else { return range }
    return max(0, range.lowerBound - reach)..<min(raw.count, range.upperBound + reach)
  }

  /// How far away the classification of a beat can depend on another: a threshold, a median and two neighbours.
  private var reach: Int { thresholdWidth / 2 + medianWidth / 2 + 3 }

  /// The threshold for a neighbourhood of magnitudes, in milliseconds.
  func threshold(of magnitudes: borrowing RollingOrder) -> Double {
    max(leastThreshold, alpha * (magnitudes.quantile(0.75) - magnitudes.quantile(0.25)) / 2)
  }

  private func median(of intervals: ArraySlice<Double>) -> Double {
    RollingOrder.over(Array(intervals), in: 0..<1, width: 2 * intervals.count + 1) { $0.quantile(0.5) }[0]
  }

  private func correct(_ sequence: inout BeatSequence, in raw: IntervalSeries) {
    let surroundings = surroundings(of: sequence.range, in: raw)
    guard surroundings.count >= Self.minIntervals else { return }
    let before = raw.intervals[surroundings.lowerBound..<sequence.range.lowerBound]
    let after = raw.intervals[sequence.range.upperBound..<surroundings.upperBound]
    // Of a short stretch, what lies beyond the gap before it takes the place of the mean; at the beginning, a median.
    let isShort = sequence.range.count < medianWidth
    let first = isShort ? 1 : 0
    let head = isShort && before.isEmpty ? [median(of: raw.intervals[surroundings])] : Array(before)
    let shift = head.count - first
    var regions = [(range: 0..<sequence.beats.count, found: Int.max)]
    for _ in 0..<mostPasses where !regions.isEmpty && sequence.beats.count > 1 {
      let rr = head + sequence.intervals[first...] + after
      let last = sequence.beats.count - 1
      var corrected = [Artefact.Kind?](repeating: nil, count: sequence.beats.count)
      var found: [Int] = []
      for region in regions {
        let range = max(first, region.range.lowerBound) + shift..<region.range.upperBound + shift
        let kinds = Classification(of: rr, in: range, self).kinds.map { (beat: $0.beat - shift, kind: $0.kind) }
        let inner = kinds.filter { $0.beat >= 2 && $0.beat < last }
        found += inner.map(\.beat)
        // No improvement: the region keeps its previous corrections and is finished, but at the ends of the stretch.
        let isBetter = inner.count < region.found
        for (beat, kind) in kinds
        where (isBetter || beat < 2 || beat == last) && !sequence.isSettled(beat, kind, raw) {
          corrected[beat] = kind
        }
      }
      let (changed, places) = sequence.change(corrected)
      regions = Self.regions(around: changed, reach: reach, count: sequence.beats.count)
      let foundPlaces = found.map { places[$0] }
      for index in regions.indices {
        regions[index].found = foundPlaces.count { regions[index].range.contains($0) }
      }
    }
  }

  /// The regions around changes, merged where they touch.
  private static func regions(around changed: [Int], reach: Int, count: Int) -> [(range: Range<Int>, found: Int)] {
    var regions: [(range: Range<Int>, found: Int)] = []
    for place in changed {
      let range = max(0, place - reach)..<min(count, place + reach + 1)
      if let last = regions.last, last.range.upperBound >= range.lowerBound {
        regions[regions.count - 1].range = last.range.lowerBound..<range.upperBound
      } else {
        regions.append((range, 0))
      }
    }
    return regions
  }
}

/// A window of numbers kept in order, for medians and quartiles of a moving neighbourhood.
struct RollingOrder {
  private var sorted: [Double] = []

  /// The quantile for a share from 0 to 1, interpolated linearly (like pandas and NumPy).
  func quantile(_ share: Double) -> Double {
    let place = Double(sorted.count - 1) * share
    let low = Int(place)
    let high = min(low + 1, sorted.count - 1)
    return sorted[low] + (sorted[high] - sorted[low]) * (place - Double(low))
  }

  mutating func insert(_ number: Double) { sorted.insert(number, at: place(of: number)) }

  mutating func remove(_ number: Double) { sorted.remove(at: place(of: number)) }

  private func place(of number: Double) -> Int {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Evaluates the neighbourhood of every index in a range; at the ends the neighbourhood is smaller.
  ///
  /// - Parameters:
  ///   - numbers: the numbers; none is NaN.
  ///   - range: the indices.
  ///   - width: the number of elements in a neighbourhood; odd.
  ///   - value: the function of the sorted neighbourhood.
  /// - Returns: the values, one for each index.
  static func over<Value>(
    _ numbers: [Double], in range: Range<Int>, width: Int, _ value: (borrowing RollingOrder) -> Value
  ) -> [Value] {
    let half = width / 2
    var order = RollingOrder()
    var (low, high) = (max(0, range.lowerBound - half), max(0, range.lowerBound - half))
    return range.map { place in
      while high < numbers.count, high <= place + half {
        order.insert(numbers[high])
        high += 1
      }
      while low < place - half {
        order.remove(numbers[low])
        low += 1
      }
      return value(order)
    }
  }
}
