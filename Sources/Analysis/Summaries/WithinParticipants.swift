/// A measure of many trials, summarised so that every participant counts once.
///
/// A participant's trials of a condition are averaged first, unless trials are the sampling unit. Conditions are
/// compared within participants: by the differences of those who have both, in which individual levels cancel out.
/// There is no significance test.
package struct WithinParticipants: Hashable, Sendable {
  /// One trial's number.
  package struct Observation: Hashable, Sendable {
    /// The participant's code.
    let participant: String
    /// The clip, mood or condition; `nil` for a trial without one.
    let condition: String?
    let value: Double

    /// Creates an observation.
    package init(participant: String, condition: String?, value: Double) {
      self.participant = participant
      self.condition = condition
      self.value = value
    }
  }

  /// The summary of one condition, or of a difference between two.
  package struct Summary: Hashable, Sendable {
    /// The number of participants with a number.
    package let participants: Int
    /// The number of trials.
    package let trials: Int
    /// The sampling unit of mean, standard deviation and interval.
    let over: SamplingUnit
    /// The mean of the participants' numbers; `nil` if no participant has one.
    package let mean: Double?
    /// The standard deviation over participants, or trials, n - 1; `nil` for fewer than two.
    package let standardDeviation: Double?
    /// The mean's confidence interval over participants, or trials; `nil` for fewer than two.
    package let interval: ConfidenceInterval?

    init(_ numbers: [Double], participants: Int, trials: Int, over: SamplingUnit, _ bootstrap: Bootstrap) {
      self.participants = participants
      self.trials = trials
      self.over = over
      mean = Analysis.mean(numbers)
      standardDeviation = Analysis.standardDeviation(numbers, lostDegrees: 1)
      interval = bootstrap.interval(ofMean: numbers)
    }
  }

  /// The quantity of the observations; `nil` if it was not given.
  let quantity: ObservedQuantity?

  /// The conditions, sorted by name; that of trials without one is the last.
  package let conditions: [Condition]

  /// The requested differences between conditions, over participants who have both.
  let differences: [Difference]

  /// Which conditions are compared.
  package enum Comparison: Hashable, Sendable {
    /// No comparisons.
    case none
    /// All pairs, the later name minus the earlier one.
    case all
    /// Each of the others minus one reference.
    case reference(String?)
  }

  /// The observations that were dropped because they are not finite.
  let omitted: [Observation]

  /// A condition and its summary.
  package struct Condition: Hashable, Sendable {
    /// Its name; `nil` for trials without one.
    package let name: String?
    package let summary: Summary
  }

  /// Two conditions and the summary of their difference.
  package struct Difference: Hashable, Sendable {
    /// The condition that is subtracted.
    package let from: String?
    /// The condition that it is subtracted from.
    package let to: String?
    /// The summary over participants who have both.
    package let summary: Summary
  }

  /// Summarises observations.
  ///
  /// - Parameters:
  ///   - observations: the trials' numbers, in any order.
  ///   - over: the sampling unit. With trials every trial counts by itself, as within one participant, and conditions
  ///     are not compared.
  ///   - quantity: the quantity of the numbers, reported with the summary.
  ///   - comparison: which conditions are compared.
  ///   - bootstrap: the method for the confidence intervals.
  package init(
    _ observations: [Observation], over: SamplingUnit, of quantity: ObservedQuantity? = nil,
    comparing comparison: Comparison = .all, bootstrap: Bootstrap = Bootstrap()
  ) {
    self.quantity = quantity
    omitted = observations.filter { !$0.value.isFinite }
    let known = observations.filter(\.value.isFinite)
    let byCondition = Dictionary(grouping: known, by: \.condition).mapValues { trials in
      // Sorted, so that sums do not depend on the order of trials.
      Dictionary(grouping: trials, by: \.participant).mapValues { $0.map(\.value).sorted() }
    }
    conditions = byCondition.sorted { Self.precede($0.key, $1.key) }.map { name, participants in
      // Sorted by name, so that the resampling does not depend on the order of trials.
      let values = participants.sorted { $0.key < $1.key }.map(\.value)
      let numbers = over == .trials ? values.flatMap { $0 } : values.compactMap { Analysis.mean($0) }
      let trials = values.reduce(0) { $0 + $1.count }
      return Condition(
        name: name,
        summary: Summary(numbers, participants: values.count, trials: trials, over: over, bootstrap))
    }
    differences = Self.shared(known, over == .trials ? .none : comparison).map { pair, participants in
      let (from, to) = (byCondition[pair.from] ?? [:], byCondition[pair.to] ?? [:])
      let numbers = participants.compactMap { name -> Double? in
        guard let low = from[name].flatMap({ Analysis.mean($0) }), let high = to[name].flatMap({ Analysis.mean($0) })
        else { return nil }
        return high - low
      }
      let trials = participants.reduce(0) { $0 + (from[$1]?.count ?? 0) + (to[$1]?.count ?? 0) }
      return Difference(
        from: pair.from, to: pair.to,
        summary: Summary(
          numbers, participants: numbers.count, trials: trials, over: .participants, bootstrap))
    }
  }

  private struct Pair: Hashable {
    var from: String?
    var to: String?
  }

  /// Whether one name precedes another; a missing name comes last.
  static func precede(_ one: String?, _ other: String?) -> Bool {
    guard let one else { return false }
    return other.map { one < $0 } ?? true
  }

  /// The pairs of conditions that participants have both of, with these participants, all sorted by name.
  private static func shared(
    _ observations: [Observation], _ comparison: Comparison
  ) -> [(key: Pair, value: [String])] {
    guard comparison != .none else { return [] }
    var participants: [Pair: [String]] = [:]
    let byParticipant = Dictionary(grouping: observations, by: \.participant).mapValues { Set($0.map(\.condition)) }
    for (participant, conditions) in byParticipant.sorted(by: { $0.key < $1.key }) {
      let names = conditions.sorted(by: precede)
      if case .reference(let reference) = comparison {
        guard conditions.contains(reference) else { continue }
        for name in names where name != reference {
          participants[Pair(from: reference, to: name), default: []].append(participant)
        }
      } else {
        for (place, from) in names.enumerated() {
          for to in names[(place + 1)...] { participants[Pair(from: from, to: to), default: []].append(participant) }
        }
      }
    }
    return participants.sorted { one, other in
      one.key.from == other.key.from ? precede(one.key.to, other.key.to) : precede(one.key.from, other.key.from)
    }
  }
}
