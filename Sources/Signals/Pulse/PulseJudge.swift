/// Tells beats from noise by their likeness: in shape, height and distance.
///
/// The likeness in shape is the correlation of a beat with the average of the beats around it (C. Orphanidou, T. Bonnici,
/// P. Charlton, D. Clifton, D. Vallance and L. Tarassenko, "Signal-quality indices for the electrocardiogram and
/// photoplethysmogram", IEEE Journal of Biomedical and Health Informatics 19:832, 2015, with its threshold of 0.86). Noise
/// that was filtered has waves, too, but they differ in height and distance, and less of their shape is alike.
struct PulseJudge: Sendable {
  /// The least mean correlation of a pulse.
  static let threshold = 0.86
  /// The least mean correlation where intervals and heights are nearly equal.
  static let steadyThreshold = 0.8
  /// The number of beats that are compared.
  static let count = 8
  /// Possible intervals between beats, in seconds: 33 to 222 per minute.
  static let intervals = 0.27...1.8
  /// The largest ratios between two intervals of a heart, and between the heights of two waves: films are compressed, at
  /// the expense of what changes little.
  static let ratios = (interval: 1.8, height: 6.0)
  /// The largest ratios of what is nearly equal.
  static let steadyRatios = (interval: 1.35, height: 3.0)
  /// A wave that is lower than this share of the others, and closer than this share of the interval to the one before,
  /// is a part of a beat: the dicrotic wave.
  static let partialHeight = 0.55
  static let partialInterval = 0.65

  /// What the latest beats are.
  struct Findings: Hashable, Sendable {
    /// The mean correlation of the compared beats with the average of the others, from 0 to 1.
    var correlation = 0.0
    /// Whether they are those of a heart.
    var isPulse = false
    /// Whether the latest one alone is like the others, so that it continues a pulse that was found.
    var continues = false
    /// The intervals of the compared beats, without those in which a beat was missed.
    var intervals: [Range<Double>] = []
    /// Whether no beat was missed before the latest one.
    var isAdjacent = false
    /// The time of the latest beat, in seconds.
    var time: Double?
  }

  /// An interval that is so many times the median one is two: a beat in between was missed.
  static let double = 1.6
  /// The maximum number of such intervals among the compared ones, if the others are nearly equal.
  static let maxDoubles = 1

  /// The least correlation of a beat that continues a pulse, and the largest ratio of its interval and its height to the
  /// median ones.
  static let ownCorrelation = 0.7
  static let ownRatio = 1.4
  static let ownHeightRatio = 4.0

  /// The most by which a beat is moved so that its shape lies on the average one, in seconds.
  static let maxShift = 0.06

  /// The time of a beat is the mean of its steepest part and of where its whole shape lies best.
  static let shapeWeight = 0.5

  private let rate: Double
  private var waves: [Wave] = []

  private struct Wave: Sendable {
    let time: Double
    let shape: [Double]
    let height: Double
  }

  /// Creates a judge without beats.
  ///
  /// - Parameter rate: the number of samples per second of the beats' shapes, in Hz.
  init(rate: Double) { self.rate = rate }

  /// Judges the latest beats with a new one.
  ///
  /// - Returns: the findings; `nil` for a wave that is only a part of the beat before.
  mutating func take(_ beat: PulseDetector.Beat, at time: Double) -> Findings? {
    let time = time + Self.shapeWeight * shift(of: beat.shape) / rate
    waves.append(Wave(time: time, shape: beat.shape, height: beat.height))
    if waves.count > 2 * Self.count { waves.removeFirst() }
    let beats = Array(Self.beats(of: waves).suffix(Self.count))
    guard beats.last?.time == time else { return nil }
    return Self.findings(of: beats)
  }

  /// By how many samples a shape is later than the average of the latest ones; 0 where they are not alike.
  ///
  /// The whole wave says that better than its steepest part alone, on which noise weighs more.
  private func shift(of shape: [Double]) -> Double {
    guard waves.count >= Self.count / 2 else { return 0 }
    let latest = waves.suffix(Self.count)
    let average = shape.indices.map { index in latest.reduce(0) { $0 + $1.shape[index] } }
    let most = Int((Self.maxShift * rate).rounded())
    // The correlation of the parts that lie on each other.
    func correlation(_ shift: Int) -> Double {
      let (own, other) = (shape.dropFirst(max(0, shift)), average.dropFirst(max(0, -shift)))
      let count = min(own.count, other.count)
      var (sums, squares, products) = ((0.0, 0.0), (0.0, 0.0), 0.0)
      for (x, y) in zip(own, other) {
        sums = (sums.0 + x, sums.1 + y)
        squares = (squares.0 + x * x, squares.1 + y * y)
        products += x * y
      }
      let variances = (squares.0 - sums.0 * sums.0 / Double(count)) * (squares.1 - sums.1 * sums.1 / Double(count))
      return variances > 0 ? (products - sums.0 * sums.1 / Double(count)) / variances.squareRoot() : 0
    }
    let all = (-most...most).map(correlation)
    guard let best = all.max(), best >= Self.ownCorrelation, let place = all.firstIndex(of: best), place > 0,
      place < all.count - 1
    else { return 0 }
    let (left, right) = (all[place - 1], all[place + 1])
    let curvature = left - 2 * best + right
    return Double(place - most) + (curvature < 0 ? 0.5 * (left - right) / curvature : 0)
  }

  /// The waves without those that are parts of others.
  private static func beats(of waves: [Wave]) -> [Wave] {
    let heights = waves.map(\.height).sorted()
    let tall = waves.filter { $0.height >= partialHeight * heights[heights.count * 2 / 3] }
    let gaps = zip(tall.dropFirst(), tall).map { $0.time - $1.time }.sorted()
    guard !gaps.isEmpty else { return waves }
    let gap = gaps[gaps.count / 2]
    var beats: [Wave] = []
    for wave in waves {
      let isPart =
        beats.last.map { wave.time - $0.time < partialInterval * gap && wave.height < partialHeight * $0.height }
        ?? false
      if !isPart { beats.append(wave) }
    }
    return beats
  }

  private static func findings(of beats: [Wave]) -> Findings {
    guard beats.count >= 2 else { return Findings(time: beats.last?.time) }
    var average = [Double](repeating: 0, count: beats[0].shape.count)
    for beat in beats { for (index, value) in beat.shape.enumerated() { average[index] += value } }
    let correlations = beats.map { beat in
      // Without the beat itself, with which anything correlates.
      let others = zip(average, beat.shape).map { $0 - $1 }
      let length = others.reduce(0) { $0 + $1 * $1 }.squareRoot()
      return length > 0 ? zip(others, beat.shape).reduce(0) { $0 + $1.0 * $1.1 } / length : 0
    }
    let correlation = max(0, correlations.reduce(0, +) / Double(beats.count))
    let all = zip(beats, beats.dropFirst()).map { $0.time..<$1.time }
    let median = Spread(all.map { $0.upperBound - $0.lowerBound }).median
    let isDouble = all.map { $0.upperBound - $0.lowerBound > double * median }
    let doubles = isDouble.count { $0 }
    let intervals = Spread(zip(all, isDouble).map { ($0.upperBound - $0.lowerBound) / ($1 ? 2 : 1) })
    let heights = Spread(beats.map(\.height))
    func isWithin(_ ratios: (interval: Double, height: Double)) -> Bool {
      intervals.ratio <= ratios.interval && heights.ratio <= ratios.height
    }
    let isPossible =
      beats.count == count && Self.intervals.contains(intervals.least) && Self.intervals.contains(intervals.most)
      && (doubles == 0 || doubles <= maxDoubles && intervals.ratio <= steadyRatios.interval)
    let isLike =
      isWithin(ratios) && correlation >= threshold
      || doubles == 0 && isWithin(steadyRatios) && correlation >= steadyThreshold
    return Findings(
      correlation: correlation, isPulse: isPossible && isLike,
      continues: correlations[beats.count - 1] >= ownCorrelation && Self.intervals.contains(intervals.last)
        && intervals.isLastWithin(ownRatio) && heights.isLastWithin(ownHeightRatio),
      intervals: zip(all, isDouble).filter { !$1 }.map(\.0), isAdjacent: isDouble.last == false,
      time: beats.last?.time)
  }

  /// The order of some numbers above zero, which are at least one.
  private struct Spread {
    let last: Double
    private let sorted: [Double]

    init(_ numbers: [Double]) {
      last = numbers[numbers.count - 1]
      sorted = numbers.sorted()
    }

    var least: Double { sorted[0] }
    var most: Double { sorted[sorted.count - 1] }
    var ratio: Double { least > 0 ? most / least : .infinity }

    var median: Double { sorted[sorted.count / 2] }

    /// Whether the last one differs from the median by no more than a ratio.
    func isLastWithin(_ ratio: Double) -> Bool {
      last <= ratio * median && median <= ratio * last
    }
  }

  /// Forgets all beats.
  mutating func reset() { waves = [] }
}
