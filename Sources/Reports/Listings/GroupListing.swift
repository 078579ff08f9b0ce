import Analysis
import Basics
import Recordings

/// Trials summarised by clip, mood, condition or another key, as lines of text.
struct GroupListing {
  private let contents: GroupSummaries
  private let events: [EventSource]
  private let showsDefinitions: Bool

  /// Lists summaries, on request with the definition of each measure.
  ///
  /// - Parameters:
  ///   - summaries: the summaries.
  ///   - events: what windows are locked to.
  ///   - showsDefinitions: whether definitions are listed.
  init(_ summaries: GroupSummaries, events: [EventSource], showsDefinitions: Bool) {
    contents = summaries
    self.events = events
    self.showsDefinitions = showsDefinitions
  }

  private var together: TrialsTogether { contents.together }
  private var analysis: TrialAnalysis { together.analysis }
  private var summaries: [TrialsTogether.Summary] { contents.summaries }
  private var responses: [TrialsTogether.GroupResponse] { contents.responses }
  private var grouping: TrialGrouping { together.grouping ?? .clip }
  private var isOverTrials: Bool { together.over == .trials }

  /// The summaries, preceded by the counts and followed by notes.
  var lines: [String] {
    var lines = [heading] + [together.counts.mark].compactMap(\.self)
    for summary in summaries { lines += [""] + table(summary) }
    for one in responses { lines += [""] + table(one) }
    lines += notes
    if showsDefinitions { lines += definitions }
    return lines
  }

  private var heading: String {
    let counts = together.counts
    var parts: [String] = []
    if counts.trials > 0 || counts.files == 0 {
      parts.append("\(counts.trials.counted("trial")) of \(counts.participants.counted("participant"))")
    }
    if counts.files > 0 {
      parts.append("\(counts.files.counted("file")) that belong to no trial, each counted as a participant")
    }
    if contents.notChosen > 0 { parts.append("\(contents.notChosen) not selected") }
    if contents.simulatedLeftOut > 0 { parts.append("\(contents.simulatedLeftOut) simulated and left out") }
    if contents.unreadable > 0 { parts.append("\(contents.unreadable) could not be read") }
    if counts.suspect > 0 { parts.append("\(counts.suspect) of them with the verdict suspect") }
    if !counts.leftOut.isEmpty {
      parts.append("left out of the summaries: \(counts.leftOut.joined(separator: ", "))")
    }
    return parts.joined(separator: "; ")
  }

  /// The settings of a measure's numbers: `preset station; artefacts lipponen-tarvainen`, which only those of hearts have.
  private func choices(_ measure: Measure) -> String {
    let event = events == [.stimulus] ? [] : ["event \(events.map { "\($0)" }.joined(separator: ","))"]
    let ofHearts = [
      "preset \(analysis.settings.preset.name)", "artefacts \(analysis.settings.correction)",
    ]
    return (event + (measure.domain == .samples ? [] : ofHearts)).map { "; \($0)" }.joined()
  }

  private func table(_ summary: TrialsTogether.Summary) -> [String] {
    var table = TextTable(
      [(grouping.rawValue, .left)] + (isOverTrials ? [] : [("participants", .right)])
        + [("trials", .right), ("mean", .right), ("SD", .right), ("95 % CI", .left)])
    // All numbers of a table have the same number of digits.
    let all = summary.groups.map(\.summary) + summary.differences.map(\.summary)
    let digits = summary.measure.digits(
      of: all.compactMap { $0.mean?.magnitude }.max(), unit: summary.quantity.unit)
    func text(_ value: Double?) -> String { value?.fixed(digits) ?? "–" }
    func add(_ name: String, _ summary: WithinParticipants.Summary) {
      table.add(
        [name] + (isOverTrials ? [] : ["\(summary.participants)"])
          + ["\(summary.trials)", text(summary.mean), text(summary.standardDeviation)]
          + [summary.interval.map { "\(text($0.lower)) to \(text(max($0.lower, $0.upper)))" } ?? "–"])
    }
    for one in summary.groups { add(Self.name(one.name), one.summary) }
    for one in summary.differences { add("\(Self.name(one.to)) less \(Self.name(one.from))", one.summary) }
    let isPoints = summary.quantity.unit == "%" && analysis.baseline != nil && analysis.change == .difference
    let unit = isPoints ? "percentage points" : summary.quantity.unit.printedUnit
    let title = summary.quantity.title + (unit.isEmpty ? "" : ", \(unit)") + words(sensor: summary.sensor)
    return ["\(title); window \(summary.window)\(choices(summary.measure))"] + table.lines
  }

  private func table(_ response: TrialsTogether.GroupResponse) -> [String] {
    let average = response.average
    let settings = average.settings
    let isHeart = settings.quantity == .heartRate
    let digits = isHeart || settings.unit == "%" ? 1 : 3
    var table = TextTable(
      [("from, s", .right), ("to, s", .right)] + (isOverTrials ? [] : [("participants", .right)]) + [
        ("trials", .right), (settings.people, .right), ("SD", .right), ("95 % CI", .left),
      ])
    for bin in average.bins {
      table.add(
        [bin.bounds.lowerBound.fixed(2), bin.bounds.upperBound.fixed(2)] + (isOverTrials ? [] : ["\(bin.participants)"])
          + [
            "\(bin.count)", bin.mean?.fixed(digits) ?? "–", bin.standardDeviation?.fixed(digits) ?? "–",
            bin.interval.map { "\($0.lower.fixed(digits)) to \($0.upper.fixed(digits))" } ?? "–",
          ])
    }
    let group = response.group.map { "“\($0)”" } ?? TrialGrouping.noKey
    let baseline = settings.baseline == .none ? "" : "; baseline \(settings.baselineWindow.brief) s"
    let title =
      "response, \(grouping.rawValue) \(group), \(average.trials.counted("trial"))"
      + (isOverTrials ? "" : " of \(average.participants.counted("participant"))")
      + words(sensor: response.sensor)
    let correction = isHeart ? "; artefacts \(analysis.settings.correction)" : ""
    return ["\(title)\(baseline)\(correction)"] + table.lines
  }

  private func words(sensor: String?) -> String {
    guard together.tellsSensorsApart else { return "" }
    return sensor.map { ", sensor “\($0)”" } ?? ", a sensor without a name"
  }

  // MARK: What to know

  private var notes: [String] {
    var lines: [String] = []
    if !summaries.isEmpty || !responses.isEmpty {
      let bootstrap = together.bootstrap
      lines.append(
        "SD and CI are over \(together.spread.rawValue); CI: percentiles of \(bootstrap.resamples) bootstrap means, "
          + "seed \(bootstrap.seed); no significance tests")
    }
    if summaries.contains(where: { !$0.differences.isEmpty }), case .reference(let name) = contents.comparison {
      lines.append("differences: each group less \(Self.name(name)), within participants who have both")
    }
    if summaries.contains(where: \.leavesOutDifferences) {
      lines.append(
        "differences between more than 8 groups are left out; --json has them for up to 20, and --reference-group NAME "
          + "shows those from one group")
    }
    lines += together.spreadNotes(summaries, responses).map { "note: \($0)" }
    lines += together.intervalCaveat(summaries, responses).map { ["note: \($0)"] } ?? []
    let wanted = [analysis.settings.measures, analysis.settings.samplesMeasures].map { Set($0) }
    func about(_ measures: [Measure]) -> String {
      wanted.contains(Set(measures)) ? "" : "\(measures.map(\.title).joined(separator: ", ")): "
    }
    lines += together.leftOut.map { one in
      let what = one.measures.isEmpty ? "response: " : about(one.measures)
      return
        "left out of \(grouping.rawValue) \(Self.name(one.group)): \(what)\(one.trials.counted("trial")): \(one.reason)"
    }
    lines += together.caveats.map { one in
      "warning: \(about(one.measures))\(one.trials.counted("trial")): \(one.sentence)"
    }
    return lines.isEmpty ? [] : [""] + lines
  }

  private var definitions: [String] {
    var table = TextTable([("measure", .left), ("definition", .left)])
    var known: Set<Measure> = []
    for summary in summaries where known.insert(summary.measure).inserted {
      table.add([summary.quantity.title, summary.quantity.definition])
    }
    return known.isEmpty ? [] : [""] + table.lines
  }

  /// The name of a group; trials without the key are a group of their own, distinct from one named “none”.
  private static func name(_ group: String?) -> String { group ?? TrialGrouping.noKey }
}
