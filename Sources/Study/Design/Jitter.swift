import Basics
import Glibc

/// How a step's duration is drawn for each trial, so that its end cannot be foreseen.
package struct Jitter: Hashable, Sendable {
  /// The distributions.
  enum Distribution: Hashable, Sendable {
    /// Each duration in the range is equally likely.
    case uniform
    /// Exponential beyond the minimum with this mean, on condition that the maximum is not exceeded: a duration that has
    /// lasted so far says little about how long it still lasts.
    case exponential(mean: Duration)
  }

  var distribution: Distribution
  /// The shortest duration.
  package var minimum: Duration
  /// The longest duration.
  var maximum: Duration

  /// Creates a jitter; the maximum is above the minimum.
  init(_ distribution: Distribution, from minimum: Duration, to maximum: Duration) {
    (self.distribution, self.minimum, self.maximum) = (distribution, minimum, maximum)
  }

  /// Draws a duration, in whole milliseconds.
  ///
  /// One number of the generator gives a share *u* of its range. Of the uniform distribution it is the share of the whole
  /// milliseconds from the minimum to the maximum; of the exponential one the duration is
  /// minimum − *m* ln(1 − *u* (1 − exp(−(maximum − minimum) ∕ *m*))), where *m* is the mean less the minimum.
  ///
  /// - Parameter random: the generator.
  /// - Returns: a duration from the minimum to the maximum.
  func draw(_ random: inout Xoshiro256StarStar) -> Duration {
    let range = (maximum - minimum).nanoseconds / 1_000_000
    switch distribution {
    case .uniform: return minimum + .milliseconds(Int64(random.next(below: UInt64(range) + 1)))
    case .exponential(let mean):
      let share = Double(random.next() >> 11) / 0x1p53
      let scale = Double((mean - minimum).nanoseconds) / 1_000_000
      let drawn = -scale * log1p(share * expm1(-Double(range) / scale))
      return minimum + .milliseconds(min(range, Int64(drawn.rounded())))
    }
  }
}

// MARK: Reading

extension Jitter {
  /// Reads a duration that is drawn; `nil` after reporting a problem.
  ///
  /// - Parameters:
  ///   - place: an object with `distribution`, `minimum`, `maximum` and perhaps `mean`.
  ///   - longest: the longest duration, in seconds.
  /// - Returns: the distribution; `nil` if a problem was reported.
  static func read(_ place: Located, longest: Double) -> Jitter? {
    guard let object = place.object("a number of seconds, or an object with a “distribution”") else { return nil }
    object.refuseKeys(beside: .jitter)
    let name = object.required("distribution", "how the duration is drawn: uniform or exponential")?
      .word("a distribution", among: ["uniform", "exponential"])
    let minimum = object.required("minimum", "the shortest duration in seconds")?.seconds(in: 0...longest)
    let maximum = object.required("maximum", "the longest duration in seconds")?.seconds(in: 0...longest)
    let mean = object["mean"]?.seconds(in: 0...longest)
    guard let name, let minimum, let maximum else { return nil }
    guard minimum < maximum else {
      object["maximum"]?.report("the maximum must be above the minimum")
      return nil
    }
    guard name == "exponential" else {
      object["mean"]?.report("a uniform distribution has the mean of its minimum and maximum; leave this out")
      return Jitter(.uniform, from: minimum, to: maximum)
    }
    guard
      let mean = mean ?? object.required("mean", "the mean in seconds before the maximum cuts it").flatMap({ _ in nil })
    else { return nil }
    guard minimum < mean, mean < maximum else {
      object["mean"]?.report("the mean must lie between the minimum and the maximum")
      return nil
    }
    return Jitter(.exponential(mean: mean), from: minimum, to: maximum)
  }
}
