package import Basics
import Bundles

/// Trials put together: what they say in groups, and which of them say nothing and why.
///
/// Trials are taken one by one and are not kept; of each a number a measure remains. Bad ones are only counted. Commands,
/// charts and reports of several trials all take their content from here.
package struct TrialsTogether: Sendable {
  /// How the trials were measured.
  package let analysis: TrialAnalysis

  /// What they are grouped by; `nil` for one group of all, which has no name.
  package let grouping: TrialGrouping?

  /// How confidence intervals are made.
  package let bootstrap: Bootstrap

  /// Which trials are only counted.
  private let omissions: Set<TrialOmission>

  /// How many there are.
  package private(set) var counts = Counts()

  /// The names of groups of trials that were not bad.
  package private(set) var groups: Set<String?> = []

  /// The steps that trials came to, and those of their sessions that are baselines.
  private(set) var steps: Set<String> = []

  /// Whether some trial has several sensors, so that all are told apart; elsewhere their names differ from booth to booth.
  package private(set) var tellsSensorsApart = false

  private struct Key: Hashable {
    let sensor: String
    let measure: Measure
    let window: AnalysisWindow
  }

  private struct ResponseKey: Hashable {
    let sensor: String
    let group: String?
  }

  private var observations: [Key: [WithinParticipants.Observation]] = [:]
  private var responses: [ResponseKey: ResponseSums] = [:]
  private var quantities: [Measure: ObservedQuantity] = [:]
  private var reasonsLeftOut = WordingTally()
  private var caveatTally = WordingTally()
  private var participants: Set<String> = []
  // Names stand in many observations, and once in memory.
  private var names: [String: String] = [:]

  /// How many trials and files were taken.
  package struct Counts: Hashable, Sendable {
    /// How many trials there are, bad ones included.
    package fileprivate(set) var trials = 0
    /// How many files from outside trials, each of which counts as a participant.
    package fileprivate(set) var files = 0
    /// How many participants the trials are of.
    package fileprivate(set) var participants = 0
    /// How many trials and files have a number, or a response, that is put together with others.
    package fileprivate(set) var used = 0
    /// How many of those are suspect.
    package fileprivate(set) var suspect = 0
    /// How many trials and files are simulated, and were not left out.
    package fileprivate(set) var simulated = 0
    /// How many trials were for practice, and were left out.
    fileprivate(set) var practice = 0
    /// How many trials are bad, and were left out.
    fileprivate(set) var bad = 0
    /// How many trials were stopped, are not bad, and were left out.
    package fileprivate(set) var stopped = 0

    /// How many trials were left out.
    package var leftOutCount: Int { practice + bad + stopped }

    /// The mark of what these trials have together; `nil` without simulated ones.
    package var mark: String? { TrialSimulation.sentence(simulated: simulated, of: trials + files - leftOutCount) }

    /// How many trials were left out, and why: `2 with the verdict bad`, `one that was stopped`.
    package var leftOut: [String] {
      [
        practice > 0 ? "\(practice) for practice" : nil,
        bad > 0 ? "\(bad) with the verdict bad" : nil,
        stopped > 0
          ? "\(stopped) that \(stopped == 1 ? "was" : "were") stopped (--include stopped takes them in)" : nil,
      ].compactMap(\.self)
    }
  }

  package init(
    _ analysis: TrialAnalysis, by grouping: TrialGrouping?, bootstrap: Bootstrap = Bootstrap(),
    leavingOut omissions: Set<TrialOmission> = TrialOmission.usual
  ) {
    self.analysis = analysis
    self.omissions = omissions
    self.grouping = grouping
    self.bootstrap = bootstrap
  }

  /// What means, spreads and intervals are taken over: within a participant trials, and everywhere else participants.
  package var over: SamplingUnit { grouping == .participant ? .trials : .participants }

  /// What spreads and intervals of ``summaries(comparing:most:)`` are taken over: trials also where all numbers are of one
  /// participant, since a spread over participants needs two.
  package var spread: SamplingUnit {
    guard over == .participants, let one = observations.values.first?.first?.participant else { return over }
    return observations.values.allSatisfy { $0.allSatisfy { $0.participant == one } } ? .trials : over
  }

  /// Why a trial is only counted; `nil` for one that is not.
  package func omission(of trial: TrialFacts?) -> TrialOmission? {
    TrialOmission.of(trial, by: grouping, among: omissions)
  }

  /// Takes what one trial or file has.
  package mutating func take(_ outcome: TrialOutcome) {
    let omission = omission(of: outcome.trial)
    // What lies around trials is no trial.
    guard omission != .around else { return }
    if let trial = outcome.trial {
      counts.trials += 1
      participants.insert(trial.participant)
      counts.participants = participants.count
      steps.formUnion(trial.steps.lazy.map(\.identifier))
    } else {
      counts.files += 1
    }
    switch omission {
    case .practice?:
      counts.practice += 1
      return
    case .bad?:
      counts.bad += 1
      return
    case .stopped?:
      counts.stopped += 1
      return
    case .around?, nil: break
    }
    if outcome.isSimulated { counts.simulated += 1 }
    for row in outcome.rows { steps.formUnion(row.baseline?.around?.steps.lazy.map(\.identifier) ?? []) }
    var isUsed = false
    let group = (grouping?.key(of: outcome.trial)).map { shared($0) }
    groups.insert(group)
    let sensors = Set(outcome.rows.map(\.head.sensor) + outcome.responses.map(\.head.sensor))
    if sensors.count > 1 { tellsSensorsApart = true }
    let participant = shared(outcome.trial?.participant ?? outcome.place.path)
    var omitted: Set<WordingTally.Statement> = []
    var statements: Set<WordingTally.Statement> = []
    func about(_ sentence: Wording, _ measure: Measure?, in group: String? = nil) -> WordingTally.Statement {
      .init(subject: .init(group: group, measure: measure), sentence: sentence)
    }
    let stranger: MissingNumber? = outcome.trial == nil && grouping == .participant ? .noParticipant : nil
    for row in outcome.rows {
      let measure = row.measurement.measure
      guard let number = row.number, stranger == nil else {
        omitted.insert(about((stranger ?? row.reason ?? .nothingRecorded).wording, measure, in: group))
        continue
      }
      if quantities[measure] == nil { quantities[measure] = row.quantity }
      statements.formUnion(row.caveats.map { about($0, measure) })
      let key = Key(sensor: shared(row.head.sensor ?? ""), measure: measure, window: row.window.window)
      isUsed = true
      observations[key, default: []].append(.init(participant: participant, condition: group, value: number))
    }
    for one in outcome.responses {
      guard let response = one.response, one.reason == nil, stranger == nil else {
        omitted.insert(about((stranger ?? one.reason ?? .nothingRecorded).wording, nil, in: group))
        continue
      }
      let key = ResponseKey(sensor: shared(one.head.sensor ?? ""), group: group)
      let none = ResponseSums(response.settings, over: over)
      isUsed = true
      responses[key, default: none].add(response, of: participant)
    }
    if isUsed {
      counts.used += 1
      if outcome.trial?.verdict == .suspect { counts.suspect += 1 }
    }
    reasonsLeftOut.add(omitted)
    caveatTally.add(statements)
  }

  private mutating func shared(_ name: String) -> String {
    if let known = names[name] { return known }
    names[name] = name
    return name
  }
}

// MARK: What is told

extension TrialsTogether {
  /// What is known of one measure of one sensor in one window.
  package struct Summary: Sendable {
    /// The sensor; `nil` where sensors are not told apart, or its name is not known.
    package let sensor: String?
    package let measure: Measure
    /// What its numbers are, the comparison with a baseline included.
    package let quantity: ObservedQuantity
    /// The part of every trial that was measured.
    package let window: AnalysisWindow
    /// The groups, in the order of their names.
    package let groups: [WithinParticipants.Condition]
    /// The differences of groups that a participant has both of.
    package let differences: [WithinParticipants.Difference]
    /// The means with intervals within participants; `nil` where too few participants have all groups.
    package let within: WithinIntervals?
    /// Whether there are more groups than are compared with one another.
    package let leavesOutDifferences: Bool
  }

  /// What is known of every measure, in the order of those asked for.
  ///
  /// Groups have the spread of ``spread``; differences are those of participants who have both groups.
  ///
  /// - Parameters:
  ///   - comparison: which groups are compared; participants never are.
  ///   - most: so many groups are compared with one another at most, since pairs grow with their square.
  /// - Returns: a summary for each sensor, window and measure that has numbers.
  package func summaries(comparing comparison: WithinParticipants.Comparison = .all, most: Int = 20) -> [Summary] {
    var merged: [Key: [WithinParticipants.Observation]] = [:]
    for (key, all) in observations.sorted(by: { $0.key.sensor < $1.key.sensor }) {
      let sensor = tellsSensorsApart ? key.sensor : ""
      merged[Key(sensor: sensor, measure: key.measure, window: key.window), default: []] += all
    }
    let order = Dictionary(uniqueKeysWithValues: Measure.allCases.enumerated().map { ($1, $0) })
    let wanted = analysis.settings.measures
    func rank(_ measure: Measure) -> Int { wanted.firstIndex(of: measure) ?? wanted.count + (order[measure] ?? 0) }
    let spread = spread
    let keys = merged.keys.sorted {
      ($0.sensor, "\($0.window)", rank($0.measure)) < ($1.sensor, "\($1.window)", rank($1.measure))
    }
    return keys.compactMap { key in
      guard let all = merged[key], let quantity = quantities[key.measure] else { return nil }
      let isTooMany = comparison == .all && over == .participants && Set(all.lazy.map(\.condition)).count > most
      let summary = WithinParticipants(
        all, over: over, of: quantity, comparing: isTooMany ? .none : comparison, bootstrap: bootstrap)
      let groups =
        spread == over
        ? summary.conditions
        : WithinParticipants(all, over: spread, of: quantity, comparing: .none, bootstrap: bootstrap).conditions
      return Summary(
        sensor: key.sensor.isEmpty ? nil : key.sensor, measure: key.measure, quantity: quantity, window: key.window,
        groups: groups, differences: summary.differences.filter { $0.summary.participants > 0 },
        within: spread == .participants ? WithinIntervals(all, level: bootstrap.level) : nil,
        leavesOutDifferences: isTooMany)
    }
  }

  /// The averaged response of one group.
  package struct GroupResponse: Sendable {
    /// The sensor; `nil` where sensors are not told apart, or its name is not known.
    package let sensor: String?
    /// The group; `nil` for that of trials without a key.
    package let group: String?
    package let average: AveragedResponse
  }

  /// The averaged responses, by sensor and group.
  package var averagedResponses: [GroupResponse] { averagedResponses(most: .max).responses }

  /// The averaged responses of so many groups at most, by sensor and group: of those with the most trials.
  ///
  /// - Returns: the responses, in the order of their names, and how many there are in all.
  package func averagedResponses(most: Int) -> (responses: [GroupResponse], all: Int) {
    var merged: [ResponseKey: ResponseSums] = [:]
    for (key, sums) in responses.sorted(by: { $0.key.sensor < $1.key.sensor }) {
      let place = ResponseKey(sensor: tellsSensorsApart ? key.sensor : "", group: key.group)
      guard merged[place] != nil else {
        merged[place] = sums
        continue
      }
      merged[place]?.add(sums)
    }
    // Those without a key come last.
    let order = merged.sorted {
      ($0.key.sensor, $0.key.group == nil ? 1 : 0, $0.key.group ?? "")
        < ($1.key.sensor, $1.key.group == nil ? 1 : 0, $1.key.group ?? "")
    }
    let ranked = order.indices.sorted { (-order[$0].value.trials, $0) < (-order[$1].value.trials, $1) }
    let responses = ranked.prefix(most).sorted().compactMap { index in
      let (key, sums) = order[index]
      return sums.average(bootstrap).map {
        GroupResponse(sensor: key.sensor.isEmpty ? nil : key.sensor, group: key.group, average: $0)
      }
    }
    return (responses, order.count)
  }

  /// Trials of a group that have no number, and why.
  package struct LeftOut: Hashable, Sendable {
    /// The group; `nil` for that of trials without a key.
    package let group: String?
    /// The measures without a number; empty for a response.
    package let measures: [Measure]
    /// How many trials.
    package let trials: Int
    /// The reason, with a range where its numbers differ from trial to trial.
    package let reason: Wording
  }

  /// What was left out, bad trials apart.
  package var leftOut: [LeftOut] {
    reasonsLeftOut.entries.map {
      LeftOut(group: $0.group, measures: $0.measures, trials: $0.trials, reason: $0.sentence)
    }
  }

  /// A caveat on the numbers, and of how many trials.
  package struct SharedCaveat: Hashable, Sendable {
    /// The measures that it concerns.
    package let measures: [Measure]
    /// How many trials.
    package let trials: Int
    /// The sentence, with a range where its numbers differ from trial to trial.
    package let sentence: Wording
  }

  /// The caveats of single trials, each once.
  package var caveats: [SharedCaveat] {
    caveatTally.entries.map { SharedCaveat(measures: $0.measures, trials: $0.trials, sentence: $0.sentence) }
  }

  /// The step that a window is and no trial came to, with the steps that there are; `nil` for any other window.
  package func missingStep(_ window: AnalysisWindow?) -> (name: String, known: [String])? {
    guard case .step(let name)? = window, counts.trials > 0, !steps.contains(name) else { return nil }
    return (name, steps.sorted())
  }

  /// The first step of events that are all steps to which no trial came, with the steps that there are; `nil` of others.
  package func missingStep(_ events: [EventSource]) -> (name: String, known: [String])? {
    var first: (name: String, known: [String])?
    for event in events {
      guard case .step(let name) = event, let missing = missingStep(AnalysisWindow.step(name)) else { return nil }
      first = first ?? missing
    }
    return first
  }
}

extension TrialRow {
  /// What ``number`` is a number of.
  var quantity: ObservedQuantity {
    let own = ObservedQuantity(measurement)
    guard let baseline else { return own }
    let place = "\(baseline.window.window)"
    switch baseline.kind {
    case .difference:
      return ObservedQuantity(
        title: "\(own.title), difference from \(place)", unit: own.unit,
        definition: "\(own.definition), less that of \(place)")
    case .percent:
      return ObservedQuantity(
        title: "\(own.title), percent change from \(place)", unit: "%",
        definition: "\(own.definition), less that of \(place), as a share of the latter")
    }
  }
}

extension TrialsTogether {
  /// The caveat on the confidence intervals of these; `nil` if there are enough observations for all.
  package func intervalCaveat(_ summaries: [Summary], _ responses: [GroupResponse] = []) -> Wording? {
    let all =
      summaries.flatMap { $0.groups.map(\.summary.interval) + $0.differences.map(\.summary.interval) }
      + responses.flatMap { $0.average.bins.map(\.interval) }
    let caveats = all.compactMap { $0?.caveat?.wording }
    return caveats.first.map { first in caveats.reduce(into: first) { $0.merge($1) } }
  }
}
