/// What the beats of a part of a series are, by figure 1 of Lipponen and Tarvainen.
struct Classification {
  /// The artefacts, by their beat, in order; a beat ends the interval of the same index.
  private(set) var kinds: [(beat: Int, kind: Artefact.Kind)] = []

  private let rr: [Double]
  private let range: Range<Int>
  // For the places from `offset` on: differences and distances from the median over their thresholds, and medians.
  private let offset: Int
  private let differences: [Double]
  private let distances: [Double]
  private let medians: [Double]
  private let distanceThresholds: [Double]

  /// The classification of beats.
  ///
  /// - Parameters:
  ///   - rr: the intervals that the beats end, in milliseconds; the first, which no beat begins, is their mean.
  ///   - range: the beats to look at.
  ///   - settings: the parameters.
  init(of rr: [Double], in range: Range<Int>, _ settings: LipponenTarvainen) {
    self.rr = rr
    self.range = range
    let half = settings.thresholdWidth / 2
    // A beat's neighbour may be classified with it, by two more; the thresholds of all these reach half a width further.
    let needed = max(0, range.lowerBound - 2)..<min(rr.count, range.upperBound + 3)
    let wide = max(0, needed.lowerBound - half)..<min(rr.count, needed.upperBound + half)
    offset = needed.lowerBound
    let inner = needed.lowerBound - wide.lowerBound..<needed.upperBound - wide.lowerBound
    func thresholds(_ numbers: [Double]) -> [Double] {
      RollingOrder.over(numbers.map(\.magnitude), in: inner, width: settings.thresholdWidth) {
        settings.threshold(of: $0)
      }
    }
    let allDifferences = wide.map { place in
      place > 0 ? rr[place] - rr[place - 1] : (rr[rr.count - 1] - rr[0]) / Double(max(1, rr.count - 1))
    }
    differences = zip(allDifferences[inner], thresholds(allDifferences)).map(/)
    let allMedians = RollingOrder.over(rr, in: wide, width: settings.medianWidth) { $0.quantile(0.5) }
    let allDistances = zip(wide, allMedians).map { place, median in
      rr[place] < median ? 2 * (rr[place] - median) : rr[place] - median
    }
    medians = Array(allMedians[inner])
    distanceThresholds = thresholds(allDistances)
    distances = zip(allDistances[inner], distanceThresholds).map(/)
    classify(settings)
  }

  /// The difference at a place over its threshold; beyond the ends the series is mirrored.
  private func difference(_ place: Int) -> Double {
    var place = place
    if place < 0 { place = -place }
    if place >= rr.count { place = 2 * (rr.count - 1) - place }
    return differences[place - offset]
  }

  private mutating func classify(_ settings: LipponenTarvainen) {
    var place = range.lowerBound
    while place < min(range.upperBound, rr.count - 2) {
      let difference = difference(place)
      guard abs(difference) > 1 else {
        place += 1
        continue
      }
      let (before, after) = (self.difference(place - 1), self.difference(place + 1))
      let isEarly = difference > 1 && max(before, after) < -settings.c1 * difference - settings.c2
      let isLate = difference < -1 && min(before, after) > -settings.c1 * difference + settings.c2
      if isEarly || isLate {
        kinds.append((place, .ectopic))
        place += 1
        continue
      }
      let next = place + 1
      let isNextSuspect = abs(after) < abs(self.difference(place + 2))
      add(place)
      place += 1
      if isNextSuspect, next < rr.count - 1 {
        add(next)
        place += 1
      }
    }
  }

  /// Whether a beat whose difference stands out is missed, extra, long or short, or normal after all.
  private mutating func add(_ place: Int) {
    let difference = difference(place)
    let (next, second) = (self.difference(place + 1), self.difference(place + 2))
    let index = place - offset
    let isLong = difference > 1 && min(next, second) < -1
    let isShort = difference < -1 && max(next, second) > 1
    guard isLong || isShort || abs(distances[index]) > 3 else { return }
    if isShort, abs(rr[place] + rr[place + 1] - medians[index]) < distanceThresholds[index] {
      kinds.append((place, .extra))
    } else if isLong, abs(rr[place] / 2 - medians[index]) < distanceThresholds[index] {
      kinds.append((place, .missed))
    } else {
      kinds.append((place, .longOrShort))
    }
  }
}
