/// The classification of the beats in a part of a series, by figure 1 of Lipponen and Tarvainen.
///
/// The classes are the paper's, which classify intervals. For the pattern of an ectopic beat, the beat named here is
/// the early or late one itself, between the interval that it shortened and the one that it lengthened.
struct Classification {
  /// The artefacts by beat, in order; a beat ends the interval with the same index.
  private(set) var kinds: [(beat: Int, kind: Artefact.Kind)] = []

  private let rr: [Double]
  private let range: Range<Int>
  // For the indices from `offset` on: differences and distances from the median in units of their thresholds, and
  // medians.
  private let offset: Int
  private let differences: [Double]
  private let distances: [Double]
  private let medians: [Double]
  private let distanceThresholds: [Double]
  // The difference between the last interval and its median, with which the series is thought to go on.
  private var afterLast = 0.0

  /// Classifies beats.
  ///
  /// - Parameters:
  ///   - rr: the intervals that the beats end, in milliseconds; the first one, which has no first beat, is their mean.
  ///   - range: the beats to classify.
  ///   - settings: the parameters.
  init(of rr: [Double], in range: Range<Int>, _ settings: LipponenTarvainen) {
    self.rr = rr
    self.range = range
    let half = settings.thresholdWidth / 2
    // A classification can include two neighbours, whose thresholds extend half a width further.
    let needed = max(0, range.lowerBound - 2)..<min(rr.count, range.upperBound + 3)
    let wide = max(0, needed.lowerBound - half)..<min(rr.count, needed.upperBound + half)
    offset = needed.lowerBound
    let inner = needed.lowerBound - wide.lowerBound..<needed.upperBound - wide.lowerBound
    func around<Value>(_ numbers: [Double], _ value: (borrowing RollingOrder) -> Value) -> [Value] {
      RollingOrder.over(numbers.map(\.magnitude), in: inner, width: settings.thresholdWidth, value)
    }
    let allMedians = RollingOrder.over(rr, in: wide, width: settings.medianWidth) { $0.quantile(0.5) }
    medians = Array(allMedians[inner])
    let allDifferences = wide.map { place in
      place > 0 ? rr[place] - rr[place - 1] : (rr[rr.count - 1] - rr[0]) / Double(max(1, rr.count - 1))
    }
    let spreads = around(allDifferences) { (threshold: settings.threshold(of: $0), median: $0.quantile(0.5)) }
    let differenceThresholds = zip(spreads, medians).map { spread, median in
      max(spread.threshold, min(2 * spread.median, settings.greatestAlternation * median))
    }
    differences = zip(allDifferences[inner], differenceThresholds).map(/)
    if needed.upperBound == rr.count, let last = rr.last, let median = medians.last,
      let threshold = differenceThresholds.last
    {
      afterLast = (median - last) / threshold
    }
    let allDistances = zip(wide, allMedians).map { place, median in
      rr[place] < median ? 2 * (rr[place] - median) : rr[place] - median
    }
    distanceThresholds = around(allDistances) { settings.threshold(of: $0) }
    distances = zip(allDistances[inner], distanceThresholds).map(/)
    classify(settings)
  }

  /// The difference at an index in units of its threshold; before the first interval the series is mirrored, and after
  /// the last it goes on with the median there.
  private func difference(_ place: Int) -> Double {
    if place == rr.count { return afterLast }
    return place > rr.count ? 0 : differences[abs(place) - offset]
  }

  /// An interval; after the last, the median there.
  private func interval(_ place: Int) -> Double { place < rr.count ? rr[place] : medians[medians.count - 1] }

  private mutating func classify(_ settings: LipponenTarvainen) {
    let end = min(range.upperBound, rr.count)
    guard range.lowerBound < end else { return }
    let isDisplaced = displaced(range.lowerBound..<end + 1, settings)
    var place = range.lowerBound
    while place < end {
      if isDisplaced[place - range.lowerBound] {
        kinds.append((place, .ectopic))
        place += 2
        continue
      }
      guard abs(difference(place)) > 1 else {
        place += 1
        continue
      }
      let next = place + 1
      let isNextDisplaced = isDisplaced[next - range.lowerBound]
      let isNextSuspect = abs(difference(next)) < abs(difference(place + 2))
      append(place, kind(place), isBeforeDisplaced: isNextDisplaced)
      place += 1
      if isNextSuspect, !isNextDisplaced, next < end, !isDisplaced[next + 1 - range.lowerBound] {
        append(next, kind(next), isBeforeDisplaced: false)
        place += 1
      }
    }
  }

  private mutating func append(_ place: Int, _ kind: Artefact.Kind?, isBeforeDisplaced: Bool) {
    guard let kind else { return }
    // The difference to a displaced beat's interval is caused by that beat, and is not a separate artefact.
    if kind == .longOrShort, isBeforeDisplaced, abs(distances[place - offset]) <= 3 { return }
    kinds.append((place, kind))
  }

  /// Finds the beats of a range that came early or late between two beats in time.
  ///
  /// The paper names the interval after such a beat: the long one after a short interval, or the short one after a long
  /// interval. The successor of an early beat can look like a late one, and the reverse; of adjacent candidates every
  /// other one is chosen, so that their differences are larger in total.
  private func displaced(_ places: Range<Int>, _ settings: LipponenTarvainen) -> [Bool] {
    var isDisplaced = places.map { place in
      place > 0 && place < rr.count - 1 && isEctopic(place + 1, settings) && !isExtraOrMissed(place)
    }
    var start = 0
    while start < isDisplaced.count {
      guard isDisplaced[start] else {
        start += 1
        continue
      }
      let end = isDisplaced[start...].firstIndex(of: false) ?? isDisplaced.count
      var sums = [0.0, 0.0]
      for index in start..<end { sums[(index - start) % 2] += abs(difference(places.lowerBound + index + 1)) }
      let parity = sums[1] > sums[0] ? 1 : 0
      for index in start..<end { isDisplaced[index] = (index - start) % 2 == parity }
      start = end
    }
    return isDisplaced
  }

  /// Whether the interval at an index differs from both of its neighbours like the one after an early or late beat.
  private func isEctopic(_ place: Int, _ settings: LipponenTarvainen) -> Bool {
    let difference = difference(place)
    guard abs(difference) > 1 else { return false }
    let (before, after) = (self.difference(place - 1), self.difference(place + 1))
    return difference > 1
      ? max(before, after) < -settings.c1 * difference - settings.c2
      : min(before, after) > -settings.c1 * difference + settings.c2
  }

  /// Whether a beat is extra or missed rather than displaced, which would preserve the sum of two intervals.
  private func isExtraOrMissed(_ place: Int) -> Bool {
    guard let kind = kind(place), kind != .longOrShort else { return false }
    let median = medians[place - offset]
    return abs(rr[place] + rr[place + 1] - 2 * median) >= median / 2
  }

  /// Classifies a beat with a conspicuous difference as missed, extra, long or short, or normal.
  private func kind(_ place: Int) -> Artefact.Kind? {
    let difference = difference(place)
    let (next, second) = (self.difference(place + 1), self.difference(place + 2))
    let index = place - offset
    let isLong = difference > 1 && min(next, second) < -1
    let isShort = difference < -1 && max(next, second) > 1
    guard isLong || isShort || abs(distances[index]) > 3 else { return nil }
    if isShort, abs(rr[place] + interval(place + 1) - medians[index]) < distanceThresholds[index] { return .extra }
    if isLong, abs(rr[place] / 2 - medians[index]) < distanceThresholds[index] { return .missed }
    return .longOrShort
  }
}
