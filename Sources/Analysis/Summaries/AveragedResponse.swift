/// Responses to several stimuli, averaged bin by bin so that every participant counts once.
///
/// A participant's trials are averaged first, unless trials are what is counted. Taken for independent, the trials of few would seem to say more than they do.
package struct AveragedResponse: Hashable, Sendable {
  /// What all responses were read off with; it says the unit and what they are compared with.
  package let settings: ResponseSettings

  /// How many trials were averaged.
  package let trials: Int

  /// How many participants the trials are of.
  package let participants: Int

  /// What the bins' means, spreads and intervals are taken over.
  package let over: SamplingUnit

  /// The bins, from the earliest on.
  package let bins: [Bin]

  /// A bin of all trials.
  package struct Bin: Hashable, Sendable {
    /// Its beginning and end from the onset, in seconds.
    package let bounds: ClosedRange<Double>
    /// How many trials have a response in it.
    package let count: Int
    /// How many participants have.
    package let participants: Int
    /// The mean over participants, or over trials; `nil` where there is none.
    package let mean: Double?
    /// The standard deviation over the same, n - 1; `nil` for fewer than two.
    package let standardDeviation: Double?
    /// The mean's confidence interval over the same; `nil` for fewer than two.
    package let interval: ConfidenceInterval?
  }
}

/// Responses as they are averaged: the sums of each participant's, so that memory does not grow with the trials.
package struct ResponseSums: Hashable, Sendable {
  private struct Sums: Hashable {
    var numbers: [Double]
    var counts: [Int]
  }

  /// What all responses are read off with.
  package let settings: ResponseSettings

  /// What is averaged over; over trials each is kept.
  package let over: SamplingUnit

  /// How many trials were taken.
  package private(set) var trials = 0

  private var participants: Set<String> = []
  private var sums: [String: Sums] = [:]

  /// No responses yet.
  package init(_ settings: ResponseSettings, over: SamplingUnit) {
    self.settings = settings
    self.over = over
  }

  /// Takes a trial's response.
  ///
  /// - Precondition: it has the settings of all.
  package mutating func add(_ response: LockedResponse, of participant: String) {
    precondition(response.settings == settings, "responses are averaged under one set of settings")
    trials += 1
    participants.insert(participant)
    let bins = response.bins.count
    let empty = Sums(numbers: [Double](repeating: 0, count: bins), counts: [Int](repeating: 0, count: bins))
    let name = over == .participants ? participant : "\(trials)"
    for (index, bin) in response.bins.enumerated() {
      guard let number = bin.response else { continue }
      sums[name, default: empty].numbers[index] += number
      sums[name, default: empty].counts[index] += 1
    }
  }

  /// Takes what others hold.
  ///
  /// - Precondition: they have the same settings, and are averaged over the same.
  package mutating func add(_ others: ResponseSums) {
    precondition(others.settings == settings && others.over == over, "responses are averaged under one set of settings")
    for (name, other) in others.sums {
      let name = over == .participants ? name : "\(trials)+\(name)"
      guard let own = sums[name] else {
        sums[name] = other
        continue
      }
      sums[name] = Sums(
        numbers: zip(own.numbers, other.numbers).map { $0 + $1 }, counts: zip(own.counts, other.counts).map { $0 + $1 })
    }
    trials += others.trials
    participants.formUnion(others.participants)
  }

  /// The average so far, with intervals as the bootstrap makes them; `nil` of none.
  package func average(_ bootstrap: Bootstrap = Bootstrap()) -> AveragedResponse? {
    guard trials > 0 else { return nil }
    // In the order of their names, so that the samples drawn do not depend on that of the participants.
    let cases = sums.sorted { $0.key < $1.key }.map(\.value)
    let bins = (0..<settings.binCount).map { index in
      let known = cases.filter { $0.counts[index] > 0 }
      let values = known.map { $0.numbers[index] / Double($0.counts[index]) }
      return AveragedResponse.Bin(
        bounds: settings.bounds(index), count: known.reduce(0) { $0 + $1.counts[index] },
        participants: over == .participants ? known.count : known.isEmpty ? 0 : participants.count,
        mean: Analysis.mean(values),
        standardDeviation: Analysis.standardDeviation(values, lostDegrees: 1),
        interval: bootstrap.interval(ofMean: values))
    }
    return AveragedResponse(
      settings: settings, trials: trials, participants: participants.count, over: over, bins: bins)
  }
}
