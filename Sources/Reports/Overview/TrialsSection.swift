import Analysis
import Basics
import Bundles
import Recordings

extension Overview {
  /// The trials in two tables, one of details and one of measurements, linked by row numbers.
  func trialsSection(_ local: TimeZone) -> Section {
    Section(
      "Trials",
      [
        .paragraph(StyledText("Times are those of \(local.name).")), .table(trialsTable(local)),
        .paragraph(StyledText(measuredSentence)), .table(measuredTable),
      ])
  }

  private func trialsTable(_ local: TimeZone) -> DataTable {
    // A single protocol is named in the summary, and needs no column.
    let names = protocolNames
    let titles =
      ["start", "participant", "session"] + (names.count > 1 ? ["protocol"] : []) + (hasDesign ? ["condition"] : []) + [
        "clip", "mood", "trial", "verdict",
      ]
    let rows = trials.enumerated().map { number, trial -> DataTable.Row in
      let facts = trial.facts
      let who: [StyledText] = [local.brief(facts.start), .given(facts.participant), .given(facts.session)]
      let task: [StyledText] = names.count > 1 ? [names[trial.usedProtocol] ?? .none] : []
      let design: [StyledText] = hasDesign ? [trial.condition] : []
      let what: [StyledText] =
        design + [.given(facts.clip), .given(facts.mood), .code(facts.trial), Self.verdict(facts)]
      return DataTable.Row([StyledText("\(number + 1)")] + who + task + what, verdict: facts.verdict)
    }
    return DataTable(
      caption: "The trials, oldest first",
      columns: [.init(title: "no.", isNumber: true)] + titles.map { .init(title: StyledText($0)) },
      groups: [.init(title: nil, rows: rows)])
  }

  private var measuredSentence: String {
    let parts = measures.parts.map { "“\($0.name)” is \(measures.sentence($0.window))" }
    let change = measures.baseline.map { baseline in
      let from = measures.settings.change == .percent ? "in percent, from" : "from"
      return " The change is that \(from) “\(OverviewMeasures.name(of: baseline))”"
        + " to “\(OverviewMeasures.name(of: measures.window))”."
    }
    return
      "Heart rates are means weighted with time, in beats a minute: \(parts.joined(separator: "; ")).\(change ?? "") "
      + "RMSSD is of “\(OverviewMeasures.name(of: measures.window))”; beside it stand how many intervals it is made of, and "
      + "the share of the recorded ones that was corrected or left out as artefacts. Where a time has no place in a trial, or "
      + "too little of it is known, there is a dash."
  }

  private var measuredTable: DataTable {
    let hasSensors = hasSeveralSensors
    let unit = measures.settings.change == .percent ? ", %" : ""
    let numbers =
      measures.parts.map(\.name) + (measures.changes == nil ? [] : ["change\(unit)"])
      + ["RMSSD, ms", "intervals", "artefacts, %"]
    var notes = Notes()
    var rows: [DataTable.Row] = []
    for (number, trial) in trials.enumerated() {
      for heart in trial.hearts {
        let design: [StyledText] = hasDesign ? [trial.condition] : []
        let who: [StyledText] = [.given(trial.facts.participant)] + design + [.given(trial.facts.clip)]
        let whose: [StyledText] = hasSensors ? [.given(heart.sensor)] : []
        rows.append(
          DataTable.Row(
            [StyledText("\(number + 1)")] + who + whose + cells(of: heart, &notes) + [Self.verdict(trial.facts)],
            verdict: trial.facts.verdict))
      }
    }
    return DataTable(
      caption: "What was measured in each trial",
      columns: [.init(title: "no.", isNumber: true)]
        + (["participant"] + (hasDesign ? ["condition"] : []) + ["clip"] + (hasSensors ? ["sensor"] : [])).map {
          .init(title: StyledText($0))
        }
        + numbers.map { .init(title: StyledText($0), isNumber: true) } + [.init(title: "verdict")],
      groups: [.init(title: nil, rows: rows)], notes: notes.sentences)
  }

  private func cells(of heart: HeartBrief, _ notes: inout Notes) -> [StyledText] {
    func number(_ value: Double?) -> StyledText { value.map { StyledText($0.decimals(1)) } ?? .none }
    var cells = measures.parts.indices.map { number(heart.rates.indices.contains($0) ? heart.rates[$0] : nil) }
    if measures.changes != nil {
      cells.append(notes.cell(heart.change.map { StyledText($0.change(1)) } ?? .none, heart.caveats.change))
    }
    return cells + [
      notes.cell(number(heart.rmssd), heart.caveats.rmssd),
      heart.intervals.map { StyledText("\($0)") } ?? .none, number(heart.artefactShare.map { 100 * $0 }),
    ]
  }

  static func verdict(_ facts: TrialFacts) -> StyledText { StyledText(facts.verdict?.rawValue ?? "unknown") }

  /// The name of each protocol in a row, with the start of its digest if names are ambiguous.
  var protocolNames: [UsedProtocol: StyledText] {
    let all = Set(trials.map(\.usedProtocol))
    let counts = Dictionary(grouping: all, by: \.name).mapValues(\.count)
    return Dictionary(
      uniqueKeysWithValues: all.map { one in
        let digest = one.sha256.map { " " + StyledText(String($0.prefix(8)), .code) } ?? StyledText()
        return (one, (counts[one.name] ?? 1) > 1 ? one.name + digest : one.name)
      })
  }
}
