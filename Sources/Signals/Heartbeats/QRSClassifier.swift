/// Tells the QRS complexes among the peaks of a ``QRSEnvelope``.
///
/// The rules are those of P. S. Hamilton and W. J. Tompkins ("Quantitative investigation of QRS detection rules using the
/// MIT/BIH arrhythmia database", IEEE Transactions on Biomedical Engineering 33:1157, 1986) and of Hamilton (2002):
///
/// 1. of two peaks less than 200 ms apart the higher one counts;
/// 2. a peak above a threshold between the median of the latest eight complexes and that of the latest eight other peaks is
///    a complex;
/// 3. a peak less than 360 ms after a complex and less than half as high is its T wave;
/// 4. where no complex comes for one and a half median intervals, the highest peak above half the threshold, and more than
///    360 ms after the last complex, is one.
///
/// At the beginning, and where no complex comes for three intervals, the heights are learned from the peaks of some seconds,
/// which are then judged by them.
struct QRSClassifier: Sendable {
  /// A peak of the envelope.
  struct Peak: Hashable, Sendable {
    let place: Int
    let height: Double
  }

  /// Two peaks are at least so far apart, in seconds.
  static let refractory = 0.2
  /// A T wave comes at the latest so long after its complex, in seconds.
  static let repolarization = 0.36
  /// A T wave is less than this share as steep as its complex.
  static let repolarizationHeight = 0.5
  /// The threshold's place between the heights of other peaks and those of complexes.
  static let threshold = 0.33
  /// After so many median intervals the highest peak above half the threshold is looked for.
  static let searchBack = 1.5
  /// After so many, and so many seconds, the heights are learned again.
  static let relearning = (intervals: 3.0, seconds: 3.0)
  /// From so many seconds heights are learned.
  static let learning = 4.0
  /// Complexes are at least so many times as high as the mean of the envelope.
  static let impulse = 2.0
  /// Heights that are learned again are at least this share of the ones before: a flat line has peaks, too.
  static let minHeight = 0.05
  /// A peak that is so many times as high as the second one, of which there are several, is an artefact.
  static let artefact = 4.0

  /// The latest eight numbers of a kind.
  private struct Latest: Sendable {
    private var numbers: [Double] = []
    private(set) var median = 0.0

    mutating func add(_ number: Double) { set(numbers.suffix(7) + [number]) }

    mutating func set(_ numbers: [Double]) {
      self.numbers = numbers
      let sorted = numbers.sorted()
      median = sorted.isEmpty ? 0 : (sorted[sorted.count / 2] + sorted[(sorted.count - 1) / 2]) / 2
    }
  }

  private let rate: Double
  private let apart: Int
  private var complexes = Latest()
  private var others = Latest()
  private var intervals = Latest()
  private var hasLearned = false
  private var place = -1
  private var previous = 0.0
  /// The highest peak of the latest 200 ms.
  private var best: Peak?
  private var last: Peak?
  /// The peaks since the last complex that were not taken for one.
  private var rest: [Peak] = []
  /// When something has to be done although no peak has come.
  private var searchBackPlace = Int.max
  private var learningPlace: Int
  /// The sum of the envelope since the last complex or the last learning.
  private var sum = (0.0, 0)

  /// Creates a classifier.
  ///
  /// - Parameter rate: the number of samples per second of the envelope, in Hz.
  init(rate: Double) {
    self.rate = rate
    apart = Int(Self.refractory * rate)
    learningPlace = Int(Self.learning * rate)
  }

  private var level: Double { others.median + Self.threshold * (complexes.median - others.median) }

  private var interval: Double { intervals.median > 0 ? min(max(intervals.median, 0.3 * rate), 2 * rate) : rate }

  /// Takes the next sample of the envelope.
  ///
  /// - Returns: the complexes that are known now, in order.
  mutating func take(_ height: Double) -> [Peak] {
    place += 1
    defer { previous = height }
    sum = (sum.0 + height, sum.1 + 1)
    var found: [Peak] = []
    if let best {
      if height > best.height {
        self.best = Peak(place: place, height: height)
      } else if place - best.place >= apart {
        self.best = nil
        found = judge(best)
      }
    } else if height > previous {
      best = Peak(place: place, height: height)
    }
    if place >= searchBackPlace { found += lookBack() }
    if place >= learningPlace { found += learn() }
    return found
  }

  /// Judges what is left at the end of the signal.
  mutating func finish() -> [Peak] {
    var found: [Peak] = []
    if let best {
      self.best = nil
      found = judge(best)
    }
    return hasLearned ? found + lookBack() : found + learn()
  }

  /// Begins again after a gap; the heights are kept.
  mutating func restart() {
    (place, previous, best, last, rest, sum) = (-1, 0, nil, nil, [], (0, 0))
    searchBackPlace = .max
    learningPlace = Int(Self.learning * rate)
  }

  private mutating func judge(_ peak: Peak) -> [Peak] {
    guard hasLearned else {
      rest.append(peak)
      return []
    }
    if isComplex(peak) {
      accept(peak)
      return [peak]
    }
    others.add(peak.height)
    rest.append(peak)
    return []
  }

  private func isComplex(_ peak: Peak) -> Bool {
    guard peak.height > level else { return false }
    guard let last, Double(peak.place - last.place) < Self.repolarization * rate else { return true }
    return peak.height >= Self.repolarizationHeight * last.height
  }

  private mutating func accept(_ peak: Peak) {
    complexes.add(min(peak.height, 3 * complexes.median))
    if let last { intervals.add(Double(peak.place - last.place)) }
    last = peak
    rest.removeAll { $0.place <= peak.place }
    sum = (0, 0)
    searchBackPlace = peak.place + Int(Self.searchBack * interval) + apart
    learningPlace =
      peak.place + Int(max(Self.relearning.seconds * rate, Self.relearning.intervals * interval))
  }

  private mutating func lookBack() -> [Peak] {
    searchBackPlace = .max
    guard let last else { return [] }
    let first = last.place + Int(Self.repolarization * rate)
    let possible = rest.filter { $0.place > first && $0.height > level / 2 }
    guard let highest = possible.max(by: { $0.height < $1.height }) else { return [] }
    let later = rest.filter { $0.place > highest.place }
    accept(highest)
    return [highest]
      + later.flatMap { peak -> [Peak] in
        guard isComplex(peak) else { return [] }
        accept(peak)
        return [peak]
      }
  }

  /// Learns the heights of complexes from the peaks of the latest seconds, and judges these by them.
  private mutating func learn() -> [Peak] {
    learningPlace = place + Int(rate)
    rest.removeAll { Double($0.place) < Double(place) - Self.learning * rate }
    let heights = rest.map(\.height).sorted(by: >)
    let mean = sum.1 > 0 ? sum.0 / Double(sum.1) : 0
    guard var highest = heights.first, highest > Self.impulse * mean else { return [] }
    if heights.count > 3, highest > Self.artefact * heights[1], heights[3] > 0.6 * heights[1] { highest = heights[1] }
    guard highest > Self.minHeight * complexes.median else { return [] }
    complexes.set([Double](repeating: highest, count: 4))
    let low = heights.filter { $0 < Self.threshold * highest }
    others.set(low.isEmpty ? [0] : Array(low.prefix(8)))
    hasLearned = true
    let peaks = rest
    rest = []
    return peaks.flatMap { judge($0) }
  }
}
