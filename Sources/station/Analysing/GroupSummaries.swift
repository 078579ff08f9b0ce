import Analysis
import Bundles
import Decimals
import JSON
import Recordings

/// Trials summed up by clip, mood, condition, participant …, every participant counting once.
struct GroupSummaries {
  private struct Key: Hashable {
    let sensor: String
    let measure: Measure
  }

  private let request: AnalysisRequest
  private let grouping: TrialGrouping
  private var observations: [Key: [WithinParticipants.Observation]] = [:]
  private var units: [Measure: String] = [:]
  private var responses: [String: [(key: String, participant: String, response: LockedResponse)]] = [:]
  // Names stand in many observations, and once in memory.
  private var names: [String: String] = [:]
  private(set) var trials = 0
  private(set) var bad = 0

  init(_ request: AnalysisRequest) {
    self.request = request
    grouping = request.grouping ?? .clip
  }

  /// Takes what one trial or file has; a bad trial is only counted, except among verdicts, where it stands apart.
  mutating func take(_ outcome: TrialOutcome) {
    trials += 1
    guard grouping == .verdict || outcome.trial?.grade != .bad else {
      bad += 1
      return
    }
    let name = shared(grouping.key(of: outcome.trial))
    // Within a participant trials are the cases, and everywhere else participants are, in responses as in measures.
    let participant = shared(
      grouping == .participant ? outcome.place.path : outcome.trial?.participant ?? outcome.place.path)
    // Sensors are told apart where a trial has several; elsewhere their names differ from booth to booth.
    let isAlone = Set(outcome.rows.map(\.sensor) + outcome.responses.map(\.sensor)).count < 2
    func sensor(_ name: String?) -> String { shared(isAlone ? "" : name ?? "") }
    for row in outcome.rows {
      units[row.measurement.measure] = row.changeUnit ?? row.measurement.unit
      guard let number = row.number(request) else { continue }
      observations[Key(sensor: sensor(row.sensor), measure: row.measurement.measure), default: []].append(
        .init(participant: participant, condition: name, value: number))
    }
    for row in outcome.responses {
      guard let response = row.response else { continue }
      responses[sensor(row.sensor), default: []].append((name, participant, response))
    }
  }

  private mutating func shared(_ name: String) -> String {
    if let known = names[name] { return known }
    names[name] = name
    return name
  }

  private struct Part {
    let sensor: String
    let measure: Measure
    let unit: String
    let groups: [WithinParticipants.Condition]
    let differences: [WithinParticipants.Difference]
    /// Whether there are more groups than are compared with one another.
    let leavesOutDifferences: Bool
  }

  /// So many groups are compared with one another at most; pairs grow with their square.
  private var mostCompared: Int { request.form == .json ? 20 : 8 }

  private var parts: [Part] {
    let sensors = Set(observations.keys.map(\.sensor)).sorted()
    return sensors.flatMap { sensor in
      request.settings.measures.compactMap { measure in
        guard let all = observations[Key(sensor: sensor, measure: measure)] else { return nil }
        let unit = units[measure] ?? ""
        guard grouping == .participant else {
          let isCompared = Set(all.lazy.map(\.condition)).count <= mostCompared
          let summary = WithinParticipants(all, comparing: isCompared ? .all : .none, bootstrap: request.bootstrap)
          return Part(
            sensor: sensor, measure: measure, unit: unit, groups: summary.conditions, differences: summary.differences,
            leavesOutDifferences: !isCompared)
        }
        // Participants are not compared with one another.
        let each = Dictionary(grouping: all, by: \.condition).sorted { $0.key < $1.key }
        return Part(
          sensor: sensor, measure: measure, unit: unit,
          groups: each.flatMap { WithinParticipants($0.value, bootstrap: request.bootstrap).conditions },
          differences: [], leavesOutDifferences: false)
      }
    }
  }

  private var averages: [(sensor: String, key: String, average: AveragedResponse)] {
    responses.sorted { $0.key < $1.key }.flatMap { sensor, all in
      AveragedResponse.averages(of: all, bootstrap: request.bootstrap).map { (sensor, $0.key, $0.average) }
    }
  }

  // MARK: For people

  var lines: [String] {
    let parts = parts
    var lines: [String] = []
    let sensors = Set(parts.map(\.sensor))
    for part in parts {
      let compared = request.baseline.map { ", \(request.change.rawValue) from \($0)" } ?? ""
      let unit = part.unit.people
      lines.append("")
      lines.append(
        part.measure.title + (unit.isEmpty ? "" : ", \(unit)") + compared
          + (sensors.count > 1 ? Self.words(sensor: part.sensor) : ""))
      lines += table(part)
    }
    if !parts.isEmpty {
      let bootstrap = request.bootstrap
      let cases = grouping == .participant ? "trials" : "participants"
      lines += [
        "",
        "SD and CI are over \(cases); CI: percentiles of \(bootstrap.resamples) bootstrap means, seed \(bootstrap.seed); "
          + "nothing is tested for significance",
      ]
    }
    if parts.contains(where: \.leavesOutDifferences) {
      lines.append(
        "differences between more than \(mostCompared) groups are left out; --json has those between 20 at most")
    }
    for one in averages { lines += [""] + Self.table(one.average, title(one), request.response) }
    return lines
  }

  private func table(_ part: Part) -> [String] {
    let isByParticipant = grouping == .participant
    var table = Table(
      [(grouping.rawValue, .left)] + (isByParticipant ? [] : [("participants", .right)])
        + [("trials", .right), ("mean", .right), ("SD", .right), ("95 % CI", .left)])
    func add(_ name: String, _ summary: WithinParticipants.Summary) {
      let interval = summary.interval.map { ($0.lower...max($0.lower, $0.upper)).people } ?? "–"
      table.add(
        [name] + (isByParticipant ? [] : ["\(summary.participants)"])
          + ["\(summary.trials)", SampleRendering.number(summary.mean)]
          + [SampleRendering.number(summary.standardDeviation), interval])
    }
    for one in part.groups { add(one.name, one.summary) }
    for one in part.differences where one.summary.participants > 0 { add("\(one.to) less \(one.from)", one.summary) }
    return table.lines
  }

  private func title(_ one: (sensor: String, key: String, average: AveragedResponse)) -> String {
    "response, \(grouping.rawValue) “\(one.key)”, \(Self.counted(one.average.trials, "trial"))"
      + (grouping == .participant ? "" : " of \(Self.counted(one.average.participants, "participant"))")
      + (responses.count > 1 ? Self.words(sensor: one.sensor) : "")
  }

  private static func words(sensor: String) -> String {
    sensor.isEmpty ? ", trials with one sensor" : ", sensor “\(sensor)”"
  }

  private static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

  private static func table(_ average: AveragedResponse, _ title: String, _ settings: ResponseSettings?) -> [String] {
    var table = Table([
      ("from, s", .right), ("to, s", .right), ("trials", .right), (settings?.people ?? "", .right), ("SD", .right),
      ("95 % CI", .left),
    ])
    for bin in average.bins {
      table.add([
        bin.bounds.lowerBound.fixed(2), bin.bounds.upperBound.fixed(2), "\(bin.count)", bin.mean?.fixed(2) ?? "–",
        bin.standardDeviation?.fixed(2) ?? "–",
        bin.interval.map { "\($0.lower.fixed(2)) to \($0.upper.fixed(2))" } ?? "–",
      ])
    }
    return [title] + table.lines
  }

  // MARK: For programs

  var json: [String: JSONValue] {
    [
      "by": .string(grouping.rawValue),
      "bootstrap": [
        "level": .number(request.bootstrap.level), "resamples": .integer(request.bootstrap.resamples),
        // As text, since a seed may be larger than what JSON's readers keep.
        "seed": .string("\(request.bootstrap.seed)"), "method": "percentile", "generator": "xoshiro256**",
      ],
      "badTrials": .integer(bad),
      "summaries": .array(parts.map(json)),
      "responses": .array(averages.map(json)),
    ]
  }

  private func json(_ part: Part) -> JSONValue {
    func members(_ summary: WithinParticipants.Summary) -> [String: JSONValue] {
      [
        "participants": grouping == .participant ? .integer(1) : .integer(summary.participants),
        "trials": .integer(summary.trials), "mean": .finite(summary.mean), "sd": .finite(summary.standardDeviation),
        "ciLower": .finite(summary.interval?.lower), "ciUpper": .finite(summary.interval?.upper),
      ]
    }
    return [
      "sensor": part.sensor.isEmpty ? nil : .string(part.sensor), "measure": .string(part.measure.rawValue),
      "unit": .string(part.unit),
      "groups": .array(
        part.groups.map { .object(members($0.summary).merging(["name": .string($0.name)]) { first, _ in first }) }),
      "differences": .array(
        part.differences.filter { $0.summary.participants > 0 }.map {
          .object(
            members($0.summary).merging(["from": .string($0.from), "to": .string($0.to)]) { first, _ in first })
        }),
      "differencesLeftOut": .bool(part.leavesOutDifferences),
    ]
  }

  private func json(_ one: (sensor: String, key: String, average: AveragedResponse)) -> JSONValue {
    [
      "sensor": one.sensor.isEmpty ? nil : .string(one.sensor), "name": .string(one.key),
      "trials": .integer(one.average.trials),
      "participants": .integer(grouping == .participant ? 1 : one.average.participants),
      "settings": request.response.map(\.json) ?? nil,
      "bins": .array(
        one.average.bins.map { bin in
          [
            "from_s": .number(bin.bounds.lowerBound), "to_s": .number(bin.bounds.upperBound),
            "trials": .integer(bin.count), "mean": .finite(bin.mean), "sd": .finite(bin.standardDeviation),
            "ciLower": .finite(bin.interval?.lower), "ciUpper": .finite(bin.interval?.upper),
          ]
        }),
    ]
  }
}
