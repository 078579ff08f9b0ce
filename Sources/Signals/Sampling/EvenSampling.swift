/// Converts samples that arrive at uneven times into samples at a fixed rate.
///
/// Between two samples it interpolates with a cubic through them whose slopes are those of the neighbours
/// (Catmull-Rom, with the true distances). Samples that are closer together than the rate are averaged first.
struct EvenSampling: Sendable {
  /// What a new sample leads to.
  enum Output: Hashable, Sendable {
    /// The even samples that it completes, in order: their times in seconds, and their values, one for each channel.
    case samples([Sample])
    /// It came so long after the one before that nothing is known in between; sampling begins again with it.
    case gap
  }

  /// A sample: its time in seconds, and its values, one for each channel.
  struct Sample: Hashable, Sendable {
    /// Its time in seconds.
    var time: Double
    /// Its values, one for each channel.
    var values: SIMD4<Double>
  }

  /// The number of samples per second, in Hz.
  let rate: Double
  /// A longer time between two samples, in seconds, is a gap.
  let maxStep: Double

  /// The samples from which the next even ones are interpolated; at most four.
  private var points: [Sample] = []
  /// The sum of samples that are closer together than the rate, and how many there are.
  private var crowd: (sum: Sample, count: Double)?
  private var next: Int?

  /// Creates a conversion.
  ///
  /// - Parameters:
  ///   - rate: the number of samples per second of the result, in Hz.
  ///   - maxStep: a longer time between two samples, in seconds, is a gap.
  init(rate: Double, maxStep: Double) {
    precondition(rate > 0 && maxStep > 0, "even sampling needs a rate and a step above zero")
    (self.rate, self.maxStep) = (rate, maxStep)
  }

  /// Takes a sample; one that is not later than the one before is ignored.
  mutating func take(_ sample: Sample) -> Output {
    let last = crowd.map { $0.sum.time / $0.count } ?? points.last?.time
    guard let last else {
      crowd = (sample, 1)
      return .samples([])
    }
    guard sample.time > last else { return .samples([]) }
    guard sample.time - last <= maxStep else {
      (points, crowd, next) = ([], (sample, 1), nil)
      return .gap
    }
    guard let (sum, count) = crowd else { return .samples([]) }
    // Nine tenths: a rate that is just as high has samples that are a little closer at times.
    if sample.time - sum.time / count < 0.9 / rate {
      crowd = (Sample(time: sum.time + sample.time, values: sum.values + sample.values), count + 1)
      return .samples([])
    }
    crowd = (sample, 1)
    return .samples(add(Sample(time: sum.time / count, values: sum.values / count)))
  }

  private mutating func add(_ point: Sample) -> [Sample] {
    points.append(point)
    guard points.count >= 3 else { return [] }
    if points.count > 4 { points.removeFirst() }
    // The first piece has no point before it: the line through its ends takes that point's place.
    let before =
      points.count == 4
      ? points[0]
      : Sample(time: 2 * points[0].time - points[1].time, values: 2 * points[0].values - points[1].values)
    let (from, to, after) = (points[points.count - 3], points[points.count - 2], points[points.count - 1])
    var samples: [Sample] = []
    var index = next ?? Int((from.time * rate).rounded(.up))
    while Double(index) / rate < to.time {
      samples.append(Self.interpolate(before, from, to, after, at: Double(index) / rate))
      index += 1
    }
    next = index
    return samples
  }

  private static func interpolate(
    _ before: Sample, _ from: Sample, _ to: Sample, _ after: Sample, at time: Double
  ) -> Sample {
    let length = to.time - from.time
    let share = (time - from.time) / length
    let leading = (to.values - before.values) * (length / (to.time - before.time))
    let trailing = (after.values - from.values) * (length / (after.time - from.time))
    let (square, cube) = (share * share, share * share * share)
    let start = from.values * (2 * cube - 3 * square + 1) + leading * (cube - 2 * square + share)
    let end = to.values * (3 * square - 2 * cube) + trailing * (cube - square)
    return Sample(time: time, values: start + end)
  }
}
