/// Responses to several stimuli, averaged bin by bin so that every participant counts once.
///
/// A participant's trials are averaged first. Taken for independent, the trials of few would seem to say more than they do.
public struct AveragedResponse: Hashable, Sendable {
  /// What all responses were read off with; it says the unit and what they are compared with.
  public let settings: ResponseSettings

  /// How many trials were averaged, those without a response included.
  public let trials: Int

  /// How many participants the trials are of.
  public let participants: Int

  /// What the bins' means, spreads and intervals are taken over: trials where they are all of one participant.
  public let over: SamplingUnit

  /// The bins, from the earliest on.
  public let bins: [Bin]

  /// A bin of all trials.
  public struct Bin: Hashable, Sendable {
    /// Its beginning and end from the onset, in seconds.
    public let bounds: ClosedRange<Double>
    /// How many trials have a response in it.
    public let count: Int
    /// How many participants have.
    public let participants: Int
    /// The mean over participants, or over the trials of one; `nil` where there is none.
    public let mean: Double?
    /// The standard deviation over the same, n - 1; `nil` for fewer than two.
    public let standardDeviation: Double?
    /// The mean's confidence interval over the same; `nil` for fewer than two.
    public let interval: ConfidenceInterval?
  }

  /// The average of responses; `nil` of none.
  ///
  /// - Parameters:
  ///   - responses: the trials' responses.
  ///   - participants: whose each of them is; `nil` where they are all of one.
  ///   - bootstrap: how the confidence intervals are made.
  /// - Precondition: all responses have the same settings, and there are as many participants as responses.
  public init?(of responses: [LockedResponse], participants: [String]? = nil, bootstrap: Bootstrap = Bootstrap()) {
    guard let settings = responses.first?.settings else { return nil }
    precondition(responses.allSatisfy { $0.settings == settings }, "responses are averaged under one set of settings")
    let names = participants ?? [String](repeating: "", count: responses.count)
    precondition(names.count == responses.count, "every response needs its participant")
    // In the order of their names, so that the samples drawn do not depend on that of the trials.
    let groups = Dictionary(grouping: responses.indices) { names[$0] }.sorted { $0.key < $1.key }.map(\.value)
    let over: SamplingUnit = groups.count > 1 ? .participants : .trials
    self.settings = settings
    self.over = over
    trials = responses.count
    self.participants = groups.count
    bins = (0..<settings.binCount).map { index in
      let known = groups.map { $0.compactMap { responses[$0].bins[index].response } }.filter { !$0.isEmpty }
      let values = over == .trials ? known.flatMap { $0 } : known.compactMap { Analysis.mean($0) }
      return Bin(
        bounds: settings.bounds(index), count: known.reduce(0) { $0 + $1.count }, participants: known.count,
        mean: Analysis.mean(values), standardDeviation: Analysis.standardDeviation(values, lostDegrees: 1),
        interval: bootstrap.interval(ofMean: values))
    }
  }

  /// The averages of responses with the same key: a clip, a mood, a condition.
  ///
  /// - Parameters:
  ///   - responses: the trials' responses with their keys and participants.
  ///   - bootstrap: how the confidence intervals are made.
  /// - Returns: one average for each key, in the order of keys.
  public static func averages<Key: Hashable & Comparable & Sendable>(
    of responses: [(key: Key, participant: String, response: LockedResponse)], bootstrap: Bootstrap = Bootstrap()
  ) -> [(key: Key, average: AveragedResponse)] {
    let groups = Dictionary(grouping: responses, by: \.key)
    return groups.sorted { $0.key < $1.key }.compactMap { key, group in
      AveragedResponse(of: group.map(\.response), participants: group.map(\.participant), bootstrap: bootstrap)
        .map { (key, $0) }
    }
  }

  /// The averages of each participant's own responses, or of one participant's by any key.
  ///
  /// - Parameters:
  ///   - responses: the trials' responses with their keys; those of one key are of one participant.
  ///   - bootstrap: how the confidence intervals are made; they are over trials.
  /// - Returns: one average for each key, in the order of keys.
  public static func averages<Key: Hashable & Comparable & Sendable>(
    of responses: [(key: Key, response: LockedResponse)], bootstrap: Bootstrap = Bootstrap()
  ) -> [(key: Key, average: AveragedResponse)] {
    averages(of: responses.map { (key: $0.key, participant: "", response: $0.response) }, bootstrap: bootstrap)
  }
}
