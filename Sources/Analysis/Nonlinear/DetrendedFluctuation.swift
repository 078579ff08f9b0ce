/// The parameters of detrended fluctuation analysis (Peng and others, Chaos 5:82, 1995).
struct FluctuationSettings: Hashable, Sendable {
  /// The windows' lengths, in intervals.
  enum Scales: Hashable, Sendable {
    /// Every length in a range.
    case range(ClosedRange<Int>)

    /// Every length from a minimum to a tenth of the number of beats.
    case toTenth(from: Int)

    /// The lengths for a number of intervals.
    func lengths(of count: Int) -> [Int] {
      switch self {
      case .range(let range): Array(range)
      case .toTenth(let first): Array(first..<max(first, (count + 1) / 10 + 1))
      }
    }
  }

  /// The short windows, whose slope is alpha 1.
  var short: Scales

  /// The long windows, whose slope is alpha 2.
  var long: Scales

  /// Whether windows overlap by half, and none ends with the last interval; otherwise they are adjacent.
  var overlaps: Bool

  /// Windows whose mean square does not exceed this are excluded.
  var leastMeanSquare: Double

  init(short: Scales, long: Scales, overlaps: Bool = false, leastMeanSquare: Double = -1) {
    self.short = short
    self.long = long
    self.overlaps = overlaps
    self.leastMeanSquare = leastMeanSquare
  }
}

/// The fluctuations of a series about straight lines, for windows of several lengths.
struct DetrendedFluctuation {
  private let profile: [Double]
  // Rounding would leave a profile even if all intervals are equal.
  private let isConstant: Bool
  private let settings: FluctuationSettings

  init(of intervals: some Collection<Double>, _ settings: FluctuationSettings) {
    isConstant = intervals.allSatisfy { $0 == intervals.first }
    let mean = mean(intervals) ?? 0
    var sum = 0.0
    profile = intervals.map { interval in
      sum += interval - mean
      return sum
    }
    self.settings = settings
  }

  /// The slope of ln F(n) over ln n; `nil` if fewer than two lengths fit, or some F is zero.
  func exponent(_ scales: FluctuationSettings.Scales) -> Double? {
    let lengths = scales.lengths(of: profile.count)
    guard !isConstant, lengths.count >= 2, let longest = lengths.last, longest < profile.count else { return nil }
    var (x, y): ([Double], [Double]) = ([], [])
    for length in lengths {
      guard let fluctuation = fluctuation(length), fluctuation > 0 else { return nil }
      x.append(logarithm(Double(length)))
      y.append(logarithm(fluctuation))
    }
    return slope(x, y)
  }

  /// F(n): the root mean square about each window's own least-squares line.
  func fluctuation(_ length: Int) -> Double? {
    let step = settings.overlaps ? length / 2 : length
    let end = settings.overlaps ? profile.count - length : profile.count - length + 1
    let middle = Double(length - 1) / 2
    let spread = Double(length) * (Double(length) * Double(length) - 1) / 12
    var (sum, windows) = (0.0, 0)
    for start in stride(from: 0, to: end, by: step) {
      let square = meanSquare(profile[start..<start + length], middle: middle, spread: spread)
      guard square > settings.leastMeanSquare else { continue }
      sum += square
      windows += 1
    }
    return windows > 0 ? (sum / Double(windows)).squareRoot() : nil
  }

  private func meanSquare(_ window: ArraySlice<Double>, middle: Double, spread: Double) -> Double {
    let count = Double(window.count)
    var (sum, product) = (0.0, 0.0)
    var place = -middle
    for value in window {
      sum += value
      product += place * value
      place += 1
    }
    let (mean, slope) = (sum / count, product / spread)
    var squares = 0.0
    place = -middle
    for value in window {
      let rest = value - mean - slope * place
      squares += rest * rest
      place += 1
    }
    return squares / count
  }
}
