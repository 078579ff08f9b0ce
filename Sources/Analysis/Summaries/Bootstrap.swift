import Basics

/// Confidence intervals by drawing again from what was observed.
///
/// Efron, Annals of Statistics 7:1, 1979. The interval lies between percentiles of the means of samples that are drawn
/// with replacement, each as large as the observations. It is the same for the same observations and seed.
package struct Bootstrap: Hashable, Sendable {
  /// The share of intervals that should hold the true mean.
  package var level: Double

  /// How many samples are drawn.
  package var resamples: Int

  /// The seed of xoshiro256**.
  package var seed: UInt64

  /// A bootstrap.
  ///
  /// - Precondition: the level lies between 0 and 1, and a sample is drawn.
  package init(level: Double = 0.95, resamples: Int = 2000, seed: UInt64 = 1) {
    precondition(level > 0 && level < 1 && resamples > 0, "a bootstrap needs a level below one, and a sample")
    self.level = level
    self.resamples = resamples
    self.seed = seed
  }

  /// The interval of a mean; `nil` for fewer than two observations, and for ones whose sum is not finite.
  package func interval(ofMean observations: [Double]) -> ConfidenceInterval? {
    guard observations.count >= 2 else { return nil }
    var random = Xoshiro256StarStar(seed: seed)
    let count = UInt64(observations.count)
    var means = (0..<resamples).map { _ in
      var sum = 0.0
      for _ in observations { sum += observations[Int(random.next(below: count))] }
      return sum / Double(observations.count)
    }
    means.sort()
    func percentile(_ share: Double) -> Double {
      let place = Double(means.count - 1) * share
      let low = Int(place)
      let high = min(low + 1, means.count - 1)
      return means[low] + (means[high] - means[low]) * (place - Double(low))
    }
    let (lower, upper) = (percentile((1 - level) / 2), percentile((1 + level) / 2))
    guard lower.isFinite, upper.isFinite else { return nil }
    return ConfidenceInterval(lower: lower, upper: upper, observations: observations.count, bootstrap: self)
  }
}

/// An interval for a mean, and how it was made.
package struct ConfidenceInterval: Hashable, Sendable {
  /// The lower bound.
  package let lower: Double

  /// The upper bound.
  package let upper: Double

  /// How many observations the samples were drawn from.
  package let observations: Int

  /// Its level, the number of samples and the seed.
  package let bootstrap: Bootstrap

  /// What a reader should know of it, a sentence; `nil` where there are enough observations.
  ///
  /// Of two observations the samples' means lie between them, whatever the level; that fewer than ten are told is the
  /// station's choice.
  package var note: String? {
    observations >= 10
      ? nil
      : "Percentiles of samples of \(observations) observations give an interval that holds the mean less often than "
        + "its level says."
  }
}
