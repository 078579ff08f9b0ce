/// Responses to several stimuli, averaged bin by bin.
public struct AveragedResponse: Hashable, Sendable {
  /// How many trials were averaged, those without a response included.
  public let trials: Int

  /// The bins, from the earliest on.
  public let bins: [Bin]

  /// A bin of all trials.
  public struct Bin: Hashable, Sendable {
    /// Its beginning and end from the onset, in seconds.
    public let bounds: ClosedRange<Double>
    /// How many trials have a response in it.
    public let count: Int
    /// The mean of their responses; `nil` where there is none.
    public let mean: Double?
    /// Their standard deviation, n - 1; `nil` for fewer than two.
    public let standardDeviation: Double?
    /// The mean's confidence interval over trials; `nil` for fewer than two.
    public let interval: ConfidenceInterval?
  }

  /// The average of responses; `nil` of none.
  ///
  /// - Parameters:
  ///   - responses: the trials' responses.
  ///   - bootstrap: how the confidence intervals are made.
  /// - Precondition: all responses have the same settings.
  public init?(of responses: [LockedResponse], bootstrap: Bootstrap = Bootstrap()) {
    guard let settings = responses.first?.settings else { return nil }
    precondition(responses.allSatisfy { $0.settings == settings }, "responses are averaged under one set of settings")
    trials = responses.count
    bins = (0..<settings.binCount).map { index in
      let values = responses.compactMap { $0.bins[index].response }
      return Bin(
        bounds: settings.bounds(index), count: values.count, mean: Analysis.mean(values),
        standardDeviation: Analysis.standardDeviation(values, lostDegrees: 1),
        interval: bootstrap.interval(ofMean: values))
    }
  }

  /// The averages of responses with the same key: a clip, a mood, a condition, a participant.
  ///
  /// - Parameters:
  ///   - responses: the trials' responses with their keys.
  ///   - bootstrap: how the confidence intervals are made.
  /// - Returns: one average for each key, in the order of keys.
  public static func averages<Key: Hashable & Comparable & Sendable>(
    of responses: [(key: Key, response: LockedResponse)], bootstrap: Bootstrap = Bootstrap()
  ) -> [(key: Key, average: AveragedResponse)] {
    let groups = Dictionary(grouping: responses, by: \.key)
    return groups.keys.sorted().compactMap { key in
      AveragedResponse(of: (groups[key] ?? []).map(\.response), bootstrap: bootstrap).map { (key, $0) }
    }
  }
}
