/// The artefact correction of Lipponen and Tarvainen.
///
/// Journal of Medical Engineering and Technology 43:173, 2019.
///
/// Differences of successive intervals, and distances of intervals from the median of those around, are compared with
/// thresholds that follow the series' own spread. Beats are then moved, put in or taken out, and the places around the
/// changes are looked at again until that finds no fewer artefacts than before.
public struct LipponenTarvainen: Hashable, Sendable {
  /// The factor between quartile deviation and threshold.
  public var alpha = 5.2

  /// The slope of the border between ectopic and other beats.
  public var c1 = 0.13

  /// The offset of that border.
  public var c2 = 0.17

  /// How many intervals a threshold is made of.
  public var thresholdWidth = 91

  /// How many intervals a median is made of.
  public var medianWidth = 11

  /// The least a threshold may be, in milliseconds.
  ///
  /// Sensors report intervals in steps of 1/1024 s. In a series that hardly varies the paper's thresholds would be a step
  /// or none at all, and call the rounding an artefact.
  public var leastThreshold = 5.0

  /// How often the series is corrected at most.
  public var mostPasses = 10

  /// The paper's parameters.
  public init() {}

  /// A series with its artefacts corrected, stretch by stretch; those with fewer than five intervals stay as they are.
  public func correct(_ raw: IntervalSeries) -> CorrectedSeries {
    var artefacts: [Artefact] = []
    var chains: [BeatChain] = []
    for stretch in raw.stretches {
      var chain = BeatChain(raw, stretch)
      if stretch.count >= 5 { correct(&chain, raw, &artefacts) }
      chains.append(chain)
    }
    artefacts.sort { ($0.index, $0.kind.rawValue) < ($1.index, $1.kind.rawValue) }
    return CorrectedSeries(
      raw: raw, corrected: BeatChain.series(chains, raw), artefacts: artefacts,
      method: "Lipponen and Tarvainen 2019: alpha \(alpha), c1 \(c1), c2 \(c2), thresholds of \(thresholdWidth) and "
        + "medians of \(medianWidth) intervals, thresholds at least \(leastThreshold) ms")
  }

  private func correct(_ chain: inout BeatChain, _ raw: IntervalSeries, _ artefacts: inout [Artefact]) {
    // What has changed can change the verdict on beats as far away as a threshold, a median and two neighbours reach.
    let reach = thresholdWidth / 2 + medianWidth / 2 + 3
    var regions = [(range: 0..<chain.beats.count, found: Int.max)]
    for _ in 0..<mostPasses where !regions.isEmpty {
      let rr = chain.intervals
      var found = [Artefact.Kind?](repeating: nil, count: chain.beats.count)
      var counts: [Int] = []
      for region in regions {
        let kinds = Classification(of: rr, in: region.range, self).kinds
        // No improvement here: what was corrected before stays, and nothing more is done.
        let isBetter = kinds.count < region.found
        for (beat, kind) in kinds where isBetter { found[beat] = kind }
        counts.append(isBetter ? kinds.count : 0)
      }
      guard counts.contains(where: { $0 > 0 }) else { return }
      let changed = chain.change(found, raw, &artefacts)
      regions = Self.regions(around: changed, reach: reach, count: chain.beats.count)
    }
  }

  /// Places around changes, joined where they meet, with how many changes each holds.
  private static func regions(around changed: [Int], reach: Int, count: Int) -> [(range: Range<Int>, found: Int)] {
    var regions: [(range: Range<Int>, found: Int)] = []
    for place in changed {
      let range = max(0, place - reach)..<min(count, place + reach + 1)
      if let last = regions.last, last.range.upperBound >= range.lowerBound {
        regions[regions.count - 1] = (last.range.lowerBound..<range.upperBound, last.found + 1)
      } else {
        regions.append((range, 1))
      }
    }
    return regions
  }
}
