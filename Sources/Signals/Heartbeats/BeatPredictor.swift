import Glibc

/// Predicts the interval from a beat to the next one from those before it.
///
/// Several predictors run beside each other: the last interval, the mean of the last few, and autoregressions whose weights
/// are fitted as intervals come (recursive least squares), which know the rhythm of breathing. The one whose latest errors
/// are smallest is taken.
package struct BeatPredictor: Sendable {
  /// A way to predict.
  package enum Method: Hashable, Sendable, CustomStringConvertible {
    /// The last interval.
    case last
    /// The mean of so many.
    case mean(of: Int)
    /// An autoregression of this order.
    case regression(order: Int)

    /// All that are tried.
    package static let all: [Method] = [
      .last, .mean(of: 2), .mean(of: 4), .mean(of: 8), .regression(order: 1), .regression(order: 2),
      .regression(order: 4), .regression(order: 6), .regression(order: 8),
    ]

    /// The method as results name it: `ar-4`.
    package var description: String {
      switch self {
      case .last: "last"
      case .mean(let count): "mean-\(count)"
      case .regression(let order): "ar-\(order)"
      }
    }
  }

  /// Intervals that hearts have, in seconds; others break the chain.
  static let possible = 0.25...2.5
  /// After so many intervals a prediction is worth something.
  static let needed = 8
  /// An error counts half after so many beats.
  static let memory = 40.0

  private struct Track: Sendable {
    let method: Method
    var fit: LeastSquares?
    var next: Double?
    var error = 0.0
  }

  private var tracks: [Track]
  private var latest: [Double] = []
  private var count = 0
  private static let maxCount = 9

  package init(_ methods: [Method] = Method.all) {
    tracks = methods.map { method in
      if case .regression(let order) = method { return Track(method: method, fit: LeastSquares(order + 1)) }
      return Track(method: method)
    }
  }

  /// Whether it has seen enough intervals.
  var isReady: Bool { count >= Self.needed && !latest.isEmpty }

  /// The method that is taken now.
  package var method: Method? { best?.method }

  /// The interval from the last beat to the next one, in seconds; `nil` before it has seen enough.
  package var next: Double? {
    guard isReady, let next = best?.next else { return nil }
    return min(max(next, Self.possible.lowerBound), Self.possible.upperBound)
  }

  private var best: Track? { tracks.filter { $0.next != nil }.min { $0.error < $1.error } }

  /// Takes the interval between the last two beats, in seconds.
  package mutating func add(_ interval: Double) {
    guard Self.possible.contains(interval) else { return interrupt() }
    let keep = pow(0.5, 1 / Self.memory)
    for index in tracks.indices {
      if let next = tracks[index].next {
        let error = next - interval
        tracks[index].error = keep * tracks[index].error + (1 - keep) * error * error
      } else {
        // What comes late is judged as the others were until then, and a little worse.
        tracks[index].error = (tracks.compactMap { $0.next == nil ? nil : $0.error }.max() ?? 0) * 1.01
      }
      if case .regression(let order) = tracks[index].method, latest.count >= order {
        let point = regressors(order)
        tracks[index].fit?.learn(interval, from: point)
      }
    }
    count += 1
    latest = latest.suffix(Self.maxCount - 1) + [interval]
    for index in tracks.indices {
      switch tracks[index].method {
      case .last: tracks[index].next = interval
      case .mean(let count):
        tracks[index].next = latest.count < count ? nil : latest.suffix(count).reduce(0, +) / Double(count)
      case .regression(let order):
        let point = regressors(order)
        tracks[index].next = latest.count > order ? tracks[index].fit?.value(at: point) : nil
      }
    }
  }

  /// The chain is broken: the next interval does not follow the last one.
  package mutating func interrupt() {
    latest = []
    for index in tracks.indices { tracks[index].next = nil }
  }

  /// The latest intervals, the last one first, and a constant.
  private func regressors(_ order: Int) -> [Double] { latest.suffix(order).reversed() + [1] }
}

/// Weights of a sum that are fitted as its values come, the older ones counting less.
private struct LeastSquares: Sendable {
  private static let forgetting = 0.995
  private var weights: [Double]
  private var inverse: [[Double]]

  /// Begins with weights that give the first value again.
  init(_ count: Int) {
    weights = (0..<count).map { $0 == 0 ? 1 : 0 }
    inverse = (0..<count).map { row in (0..<count).map { $0 == row ? 100 : 0 } }
  }

  func value(at point: [Double]) -> Double { zip(weights, point).reduce(0) { $0 + $1.0 * $1.1 } }

  mutating func learn(_ value: Double, from point: [Double]) {
    let spread = inverse.map { row in zip(row, point).reduce(0) { $0 + $1.0 * $1.1 } }
    let scale = Self.forgetting + zip(point, spread).reduce(0) { $0 + $1.0 * $1.1 }
    let error = value - self.value(at: point)
    for row in weights.indices {
      weights[row] += spread[row] / scale * error
      for column in weights.indices {
        inverse[row][column] = (inverse[row][column] - spread[row] * spread[column] / scale) / Self.forgetting
      }
    }
  }
}
