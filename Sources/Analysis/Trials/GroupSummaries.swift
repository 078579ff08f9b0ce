package import Basics
import Recordings

/// Trials summarised by clip, mood, condition or another key.
package struct GroupSummaries: Sendable {
  package let together: TrialsTogether
  /// Which groups are compared.
  package let comparison: WithinParticipants.Comparison
  /// The number of trials or files that could not be read.
  package let unreadable: Int
  /// The number that was not selected.
  package let notChosen: Int
  /// The number of simulated trials that was left out.
  package let simulatedLeftOut: Int
  /// A summary for each sensor, window and measure.
  package let summaries: [TrialsTogether.Summary]
  /// The averaged responses.
  package let responses: [TrialsTogether.GroupResponse]

  /// Summarises trials; at most `most` groups are compared with each other.
  package init(
    _ together: TrialsTogether, comparing comparison: WithinParticipants.Comparison, most: Int, unreadable: Int,
    notChosen: Int, simulatedLeftOut: Int = 0
  ) {
    self.together = together
    self.comparison = comparison
    self.unreadable = unreadable
    self.notChosen = notChosen
    self.simulatedLeftOut = simulatedLeftOut
    summaries = together.summaries(comparing: comparison, most: most)
    responses = together.averagedResponses
  }
}

extension TrialsTogether {
  /// The comparison with the group of that name, or of all pairs for `nil`.
  ///
  /// - Returns: the comparison; `nil` if there is no such group.
  package func comparison(with name: String?) -> WithinParticipants.Comparison? {
    guard let name else { return .all }
    if groups.contains(name) { return .reference(name) }
    return ["none", TrialGrouping.noKey].contains(name) && groups.contains(nil) ? .reference(nil) : nil
  }
}

extension GroupSummaries {
  /// The summaries as JSON, with the settings that all numbers share.
  package var json: [String: JSONValue] {
    let (counts, bootstrap, analysis) = (together.counts, together.bootstrap, together.analysis)
    let isCompared = analysis.baseline != nil
    return [
      "by": .text(together.grouping?.rawValue),
      "over": .string(together.spread.rawValue),
      "bootstrap": [
        "level": .number(bootstrap.level), "resamples": .integer(bootstrap.resamples),
        // As text, since a seed may exceed the integers that JSON readers keep exactly.
        "seed": .string("\(bootstrap.seed)"), "method": "percentile", "generator": "xoshiro256**",
      ],
      "preset": .string(analysis.settings.preset.name),
      "artefacts": .string("\(analysis.settings.correction)"),
      "corrections": .string("\(analysis.reading.corrections)"),
      "baselineWindow": isCompared ? .string("\(analysis.baseline ?? .whole)") : nil,
      "changeKind": isCompared ? .string(analysis.change.rawValue) : nil,
      "trials": .integer(counts.trials), "files": .integer(counts.files),
      "participants": .integer(counts.participants), "suspectTrials": .integer(counts.suspect),
      "practiceTrials": .integer(counts.practice), "badTrials": .integer(counts.bad),
      "stoppedTrials": .integer(counts.stopped), "unreadable": .integer(unreadable),
      "notChosen": .integer(notChosen), "simulatedTrials": .integer(counts.simulated),
      "simulatedLeftOut": .integer(simulatedLeftOut),
      "summaries": .array(summaries.map(Self.json)),
      "responses": .array(responses.map(Self.json)),
      "leftOut": .array(
        together.leftOut.map { one in
          [
            "group": .text(one.group), "measures": .array(one.measures.map { .string($0.rawValue) }),
            "trials": .integer(one.trials), "reason": .string("\(one.reason)"),
          ]
        }),
      "caveats": .array(
        together.caveats.map { one in
          [
            "measures": .array(one.measures.map { .string($0.rawValue) }), "trials": .integer(one.trials),
            "text": .string("\(one.sentence)"),
          ]
        }),
    ]
  }

  private static func members(_ interval: ConfidenceInterval?) -> [String: JSONValue] {
    [
      "ciLower": .finite(interval?.lower), "ciUpper": .finite(interval?.upper),
      "caveats": .array([interval?.caveat?.json].compactMap(\.self)),
    ]
  }

  private static func json(_ part: TrialsTogether.Summary) -> JSONValue {
    func members(_ summary: WithinParticipants.Summary, _ names: [String: JSONValue]) -> JSONValue {
      let numbers: [String: JSONValue] = [
        "participants": .integer(summary.participants), "trials": .integer(summary.trials),
        "over": .string(summary.over.rawValue), "mean": .finite(summary.mean),
        "sd": .finite(summary.standardDeviation),
      ]
      return .object(numbers.merging(Self.members(summary.interval)) { $1 }.merging(names) { $1 })
    }
    return [
      "sensor": .text(part.sensor), "measure": .string(part.measure.rawValue),
      "title": .string(part.quantity.title), "unit": .string(part.quantity.unit),
      "definition": .string(part.quantity.definition), "window": .string("\(part.window)"),
      "groups": .array(part.groups.map { members($0.summary, ["name": .text($0.name)]) }),
      "differences": .array(
        part.differences.map { members($0.summary, ["from": .text($0.from), "to": .text($0.to)]) }),
      "differencesLeftOut": .bool(part.leavesOutDifferences),
    ]
  }

  private static func json(_ one: TrialsTogether.GroupResponse) -> JSONValue {
    [
      "sensor": .text(one.sensor), "name": .text(one.group), "trials": .integer(one.average.trials),
      "participants": .integer(one.average.participants), "over": .string(one.average.over.rawValue),
      "settings": one.average.settings.json,
      "bins": .array(
        one.average.bins.map { bin in
          .object(
            Self.members(bin.interval).merging([
              "from_s": .number(bin.bounds.lowerBound), "to_s": .number(bin.bounds.upperBound),
              "trials": .integer(bin.count), "participants": .integer(bin.participants), "mean": .finite(bin.mean),
              "sd": .finite(bin.standardDeviation),
            ]) { $1 })
        }),
    ]
  }
}
