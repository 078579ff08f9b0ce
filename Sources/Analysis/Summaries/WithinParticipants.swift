/// A measure of many trials, summarised so that every participant counts once.
///
/// A participant's trials of a condition are averaged first. Conditions are compared within participants: by the
/// differences of those who have both, whose level cancels out. No test of significance is made.
public struct WithinParticipants: Hashable, Sendable {
  /// One trial's number.
  public struct Observation: Hashable, Sendable {
    /// Who.
    public let participant: String
    /// Which clip, mood or condition.
    public let condition: String
    /// The number.
    public let value: Double

    /// An observation.
    public init(participant: String, condition: String, value: Double) {
      self.participant = participant
      self.condition = condition
      self.value = value
    }
  }

  /// What is known of one condition, or of a difference between two.
  public struct Summary: Hashable, Sendable {
    /// How many participants have a number.
    public let participants: Int
    /// How many trials went into it.
    public let trials: Int
    /// The mean of the participants' numbers; `nil` where nobody has one.
    public let mean: Double?
    /// The standard deviation of the participants' numbers, n - 1; `nil` for fewer than two.
    public let standardDeviation: Double?
    /// The mean's confidence interval over participants; `nil` for fewer than two.
    public let interval: ConfidenceInterval?

    init(_ numbers: [Double], trials: Int, _ bootstrap: Bootstrap) {
      participants = numbers.count
      self.trials = trials
      mean = Analysis.mean(numbers)
      standardDeviation = Analysis.standardDeviation(numbers, lostDegrees: 1)
      interval = bootstrap.interval(ofMean: numbers)
    }
  }

  /// The conditions, in the order of their names.
  public let conditions: [Condition]

  /// The differences between any two conditions, the later name's less the earlier's.
  public let differences: [Difference]

  /// The observations that are not finite, which were left out.
  public let omitted: [Observation]

  /// A condition and what is known of it.
  public struct Condition: Hashable, Sendable {
    /// Its name.
    public let name: String
    /// What is known.
    public let summary: Summary
  }

  /// Two conditions and what is known of their difference.
  public struct Difference: Hashable, Sendable {
    /// The condition that is subtracted.
    public let from: String
    /// The condition that it is subtracted from.
    public let to: String
    /// What is known of those who have both.
    public let summary: Summary
  }

  /// The summary of observations.
  ///
  /// - Parameters:
  ///   - observations: the trials' numbers, in any order.
  ///   - bootstrap: how the confidence intervals are made.
  public init(_ observations: [Observation], bootstrap: Bootstrap = Bootstrap()) {
    omitted = observations.filter { !$0.value.isFinite }
    let known = observations.filter(\.value.isFinite)
    let byCondition = Dictionary(grouping: known, by: \.condition).mapValues { trials in
      Dictionary(grouping: trials, by: \.participant).mapValues { $0.map(\.value) }
    }
    let names = byCondition.keys.sorted()
    // Participants in the order of their names, so that the samples drawn do not depend on that of the trials.
    let means = byCondition.mapValues { $0.mapValues { $0.sorted().reduce(0, +) / Double($0.count) } }
    conditions = names.map { name in
      let participants = (means[name] ?? [:]).sorted { $0.key < $1.key }
      let trials = (byCondition[name] ?? [:]).values.reduce(0) { $0 + $1.count }
      return Condition(name: name, summary: Summary(participants.map(\.value), trials: trials, bootstrap))
    }
    var differences: [Difference] = []
    for (place, from) in names.enumerated() {
      for to in names[(place + 1)...] {
        guard let first = means[from], let second = means[to] else { continue }
        let both = first.keys.filter { second[$0] != nil }.sorted()
        let numbers = both.compactMap { name in second[name].flatMap { high in first[name].map { high - $0 } } }
        let trials = both.reduce(0) {
          $0 + (byCondition[from]?[$1]?.count ?? 0) + (byCondition[to]?[$1]?.count ?? 0)
        }
        differences.append(Difference(from: from, to: to, summary: Summary(numbers, trials: trials, bootstrap)))
      }
    }
    self.differences = differences
  }
}
