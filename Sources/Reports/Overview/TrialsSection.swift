internal import Analysis
internal import Bundles
internal import Charts
internal import HeartCharts
internal import Recordings
import Times

extension Overview {
  /// The trials, a row each.
  func trialsSection(_ local: TimeZone) -> Section {
    // One protocol stands in the summary, and needs no column.
    let hasProtocols = Set(trials.map(\.facts.condition)).count > 1
    let titles =
      ["start", "participant", "session"] + (hasProtocols ? ["protocol"] : []) + ["clip", "mood"]
      + (hasSeveralSensors ? ["sensor"] : [])
    let numbers = ["before", "stimulus", "after", "change", "RMSSD, ms"]
    let hasSensors = hasSeveralSensors
    let hearts = trials.flatMap { trial in trial.hearts.map { (trial: trial, heart: $0) } }
    let rows = hearts.map { trial, heart -> DataTable.Row in
      let facts = trial.facts
      func number(_ value: Double?) -> Words { value.map { Words($0.decimals(1)) } ?? .none }
      let who: [Words] = [local.brief(facts.start), .given(facts.participant), .given(facts.session)]
      let what: [Words] = (hasProtocols ? [.given(facts.condition)] : []) + [.given(facts.clip), .given(facts.mood)]
      let measured: [Words] = [
        number(heart.before), number(heart.stimulus), number(heart.after),
        heart.change.map { Words($0.change(1)) } ?? .none, number(heart.rmssd),
      ]
      let whose: [Words] = hasSensors ? [.given(heart.sensor)] : []
      let verdict = Words(facts.grade?.rawValue ?? "unknown")
      return DataTable.Row(who + what + whose + measured + [verdict], grade: facts.grade)
    }
    return Section(
      "Trials",
      [
        .paragraph(
          Words(
            "Heart rates are means weighted with time, in beats a minute, before, while and after the clip sounded; the "
              + "change is that from before to while it sounded. RMSSD is of the intervals while it sounded, without "
              + "artefacts. Where no sound was measured from its onset to its offset there is a dash. Times are those of \(local.name)."
          )),
        .table(
          DataTable(
            caption: "The trials, oldest first",
            columns: titles.map { .init(title: Words($0)) } + numbers.map { .init(title: Words($0), isNumber: true) }
              + [.init(title: "verdict")],
            groups: [.init(title: nil, rows: rows)])),
      ])
  }

  /// The trials that somebody should look at, with the reasons.
  var suspectSection: Section {
    let suspect = trials.filter { $0.facts.grade != .good }
    guard !suspect.isEmpty || !problems.isEmpty || !repeated.isEmpty else {
      return Section("What to look at", [.paragraph("Nothing: every trial is good.")])
    }
    var blocks: [Block] = []
    if !suspect.isEmpty {
      blocks.append(
        .table(
          DataTable(
            caption: "Trials that are not good",
            columns: [
              .init(title: "trial"), .init(title: "participant"), .init(title: "session"), .init(title: "clip"),
              .init(title: "reasons"), .init(title: "verdict"),
            ],
            groups: [
              .init(
                title: nil,
                rows: suspect.map { trial in
                  let facts = trial.facts
                  return DataTable.Row(
                    [
                      .code(facts.trial), .given(facts.participant), .given(facts.session), .given(facts.clip),
                      .given(facts.reasons.map { $0.sentence }.joined(separator: " ")),
                      Words(facts.grade?.rawValue ?? "unknown"),
                    ], grade: facts.grade)
                })
            ])))
    }
    if !problems.isEmpty {
      blocks.append(
        .section(
          Section("What could not be read", [.list(problems.map { .given($0.sentence) })])))
    }
    if !repeated.isEmpty {
      blocks.append(
        .section(
          Section("What is there twice", [.list(repeated.map { .given($0.sentence) })])))
    }
    return Section("What to look at", blocks)
  }

  /// Each trial with the course of its heart rate; for a choice of trials only.
  func coursesSection(_ local: TimeZone) -> Section? {
    let shown = trials.filter { !$0.charts.isEmpty }
    guard !shown.isEmpty else { return nil }
    return Section(
      "One by one",
      shown.map { trial in
        let facts = trial.facts
        let clip = facts.clip.map { Words($0, .given) } ?? "no clip"
        let pictures = trial.charts.map { heart in
          var chart = heart.heartRate
          chart.heading.subtitle = ""
          let isOneOfSeveral = trial.charts.count > 1
          let whose: Words = isOneOfSeveral ? "Sensor " + .given(heart.recording.sensor) + "; verdict " : "Verdict "
          return Picture(
            chart: chart,
            caption: whose + Words(facts.grade?.rawValue ?? "unknown") + "; trial " + .code(facts.trial) + ".")
        }
        return .section(
          Section((facts.start.map { Words("\(local.plainText($0)): ") } ?? Words()) + clip, [.figures(pictures)]))
      })
  }
}
