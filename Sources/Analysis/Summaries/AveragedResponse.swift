/// Responses to several stimuli, averaged bin by bin so that every participant counts once.
///
/// A participant's trials are averaged first, unless trials are the sampling unit: treating trials of a few
/// participants as independent would overstate the precision.
package struct AveragedResponse: Hashable, Sendable {
  /// The settings of all responses, which determine the unit and the comparison.
  package let settings: ResponseSettings

  /// The number of averaged trials.
  package let trials: Int

  /// The number of participants.
  package let participants: Int

  /// The sampling unit of means, standard deviations and confidence intervals.
  package let over: SamplingUnit

  /// The bins in the order of time.
  package let bins: [Bin]

  /// A bin over all trials.
  package struct Bin: Hashable, Sendable {
    /// Its beginning and end relative to the onset, in seconds.
    package let bounds: ClosedRange<Double>
    /// The number of trials with a response in it.
    package let count: Int
    /// The number of participants with a response in it.
    package let participants: Int
    /// The mean over participants, or over trials; `nil` without responses.
    package let mean: Double?
    /// The standard deviation over the same, n - 1; `nil` for fewer than two.
    package let standardDeviation: Double?
    /// The mean's confidence interval over the same; `nil` for fewer than two.
    package let interval: ConfidenceInterval?
  }
}

/// The running sums of responses for each participant, so that memory does not grow with the trials.
struct ResponseSums: Hashable, Sendable {
  private struct Sums: Hashable {
    var numbers: [Double]
    var counts: [Int]
  }

  /// The settings of all responses.
  let settings: ResponseSettings

  /// The sampling unit; for trials each response is kept.
  let over: SamplingUnit

  /// The number of trials added.
  private(set) var trials = 0

  private var participants: Set<String> = []
  private var sums: [String: Sums] = [:]

  init(_ settings: ResponseSettings, over: SamplingUnit) {
    self.settings = settings
    self.over = over
  }

  /// Adds a trial's response.
  ///
  /// - Precondition: it has the same settings as all others.
  mutating func add(_ response: LockedResponse, of participant: String) {
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

  /// Adds the content of other sums.
  ///
  /// - Precondition: they have the same settings and the same sampling unit.
  mutating func add(_ others: ResponseSums) {
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

  /// The average so far, with bootstrap confidence intervals; `nil` without responses.
  func average(_ bootstrap: Bootstrap = Bootstrap()) -> AveragedResponse? {
    guard trials > 0 else { return nil }
    // Sorted by name, so that the resampling does not depend on the order of adding.
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

/// The quantity that a summary's numbers measure.
package struct ObservedQuantity: Hashable, Sendable {
  /// Its name, as used in papers.
  package let title: String

  /// Its unit, as UCUM writes it.
  package let unit: String

  /// The definition of each number, including its comparison.
  package let definition: String

  init(title: String, unit: String, definition: String) {
    self.title = title
    self.unit = unit
    self.definition = definition
  }

  /// Takes the quantity of a measurement under its preset.
  init(_ measurement: Measurement) {
    self.init(title: measurement.measure.title, unit: measurement.unit, definition: measurement.definition)
  }
}
