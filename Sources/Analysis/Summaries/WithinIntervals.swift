import Glibc

/// The means of conditions with confidence intervals within participants.
///
/// Each participant's trials of a condition are averaged first. From these numbers the participant's own mean is taken away
/// and the mean of all is added, so that what differs between participants alike in all conditions does not widen the
/// intervals (Cousineau, Tutorials in Quantitative Methods for Psychology 1:1, 42–45, 2005). With J conditions the
/// variance that is left is too small by (J − 1)/J, and is corrected (Morey, the same journal 4:2, 61–64, 2008). The
/// interval is Student's, of one degree of freedom less than participants. Only participants who have all conditions count.
package struct WithinIntervals: Hashable, Sendable {
  /// A condition's mean with its interval.
  package struct Mean: Hashable, Sendable {
    /// The condition; `nil` for trials without one.
    package let name: String?
    /// The mean over the participants.
    package let mean: Double
    /// The interval of the mean.
    package let bounds: ClosedRange<Double>
  }

  /// The nominal coverage of the intervals.
  package let level: Double
  /// The number of participants who have all conditions.
  package let participants: Int
  /// The number of participants who lack one, and do not count.
  package let leftOut: Int
  /// The conditions, sorted by name; that of trials without one is the last.
  package let means: [Mean]

  /// The means and intervals; `nil` for fewer than two conditions, or fewer than two participants who have all.
  init?(_ observations: [WithinParticipants.Observation], level: Double = 0.95) {
    let known = observations.filter(\.value.isFinite)
    let names = Set(known.map(\.condition)).sorted { WithinParticipants.precede($0, $1) }
    let people = Dictionary(grouping: known, by: \.participant).mapValues { trials in
      Dictionary(grouping: trials, by: \.condition).mapValues { $0.map(\.value).sorted() }
    }
    let complete = people.filter { $0.value.count == names.count }.sorted { $0.key < $1.key }
    guard names.count > 1, complete.count > 1 else { return nil }
    let rows = complete.map { person in names.map { Analysis.mean(person.value[$0] ?? []) ?? .nan } }
    let count = Double(rows.count)
    let grand = rows.joined().reduce(0, +) / (count * Double(names.count))
    let correction = (Double(names.count) / Double(names.count - 1)).squareRoot()
    let factor = Student.quantile(0.5 + level / 2, degrees: rows.count - 1) * correction / count.squareRoot()
    means = names.indices.compactMap { index in
      let normalised = rows.map { row in row[index] - row.reduce(0, +) / Double(row.count) + grand }
      guard let mean = Analysis.mean(rows.map { $0[index] }),
        let deviation = standardDeviation(normalised, lostDegrees: 1), mean.isFinite, deviation.isFinite
      else { return nil }
      return Mean(name: names[index], mean: mean, bounds: mean - factor * deviation...mean + factor * deviation)
    }
    (self.level, participants, leftOut) = (level, complete.count, people.count - complete.count)
  }
}

/// Student's distribution with a whole number of degrees of freedom.
enum Student {
  /// The probability of a number within −t and t: the finite series 26.7.3 and 26.7.4 of Abramowitz and Stegun's Handbook
  /// of Mathematical Functions.
  static func central(_ t: Double, degrees: Int) -> Double {
    let angle = atan(t / Double(degrees).squareRoot())
    let (sine, cosine) = (sin(angle), cos(angle))
    let isOdd = degrees % 2 == 1
    var (sum, term) = (0.0, isOdd ? cosine : 1.0)
    var index = isOdd ? 1 : 0
    while index <= degrees - 2 {
      sum += term
      term *= Double(index + 1) / Double(index + 2) * cosine * cosine
      index += 2
    }
    return isOdd ? 2 / .pi * (angle + sine * sum) : sine * sum
  }

  /// The number that a share of the distribution lies below.
  ///
  /// - Precondition: the share is from 0.5 to below 1, and there is a degree of freedom.
  static func quantile(_ share: Double, degrees: Int) -> Double {
    precondition(share >= 0.5 && share < 1 && degrees > 0, "a quantile above the middle needs degrees of freedom")
    let wanted = 2 * share - 1
    var (low, high) = (0.0, 1.0)
    while central(high, degrees: degrees) < wanted { high *= 2 }
    for _ in 0..<200 where high - low > 1e-13 * high {
      let middle = (low + high) / 2
      if central(middle, degrees: degrees) < wanted { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}
