import Analysis
import Basics
import Bundles
import Charts
import Recordings

extension Overview {
  /// The maximum number of distinguishable lines in one chart.
  private static let maxLines = 6

  /// The averaged heart rate around the onset, by each key; `nil` if unknown for all trials.
  var responsesSection: Section? {
    let isCompared = measures.settings.response.baseline != .none
    // A change requires a known heart rate before the onset.
    let changes = responses.filter { $0.settings.baseline != .none && $0.count > 0 }
    let shown = changes.isEmpty ? responses.filter { $0.settings.baseline == .none && $0.count > 0 } : changes
    guard let first = shown.first else { return nil }
    let missing =
      isCompared && changes.isEmpty
      ? " No trial's heart rate is known for the time that it is compared with, so there is no change to report."
      : ""
    var blocks: [Block] = [
      .paragraph(
        StyledText(
          "\(first.settings.sentence), of \(first.count) of \(trials.count.counted("trial")).\(missing)")),
      .paragraph(
        "Each participant's trials in a group are averaged first. Bands are 95 % confidence intervals over participants; bad "
          + "and stopped trials are left out."),
    ]
    for responses in shown {
      var (chart, groups) = responses.chart(most: Self.maxLines)
      guard responses.grouping == measures.groupings[0] || groups > 1 else { continue }
      let name = responses.grouping?.rawValue ?? ""
      chart.heading.title = "Response by \(name)"
      let choice =
        groups > Self.maxLines
        ? "; the \(Self.maxLines) of \(groups) with the most trials. “station chart response” draws all, or those of "
          + "the bundles that it is given."
        : "."
      blocks.append(
        .figures([
          CaptionedChart(
            chart: chart, caption: StyledText("Averaged responses by \(name), with the number of trials\(choice)"))
        ]))
    }
    return Section("Responses to the sound", blocks)
  }
}

extension Overview {
  /// The heart rate courses of the oldest selected trials; `nil` if all trials are reported.
  func coursesSection(_ local: TimeZone) -> Section? {
    let shown = trials.filter { !$0.charts.isEmpty }
    guard !shown.isEmpty else { return nil }
    let axis = Self.commonAxis(shown.flatMap { $0.charts.map(\.heartRate) })
    var blocks: [Block] = []
    if shown.count > 1 {
      blocks.append(.paragraph("The heart rate of all trials is drawn on one axis, so that heights compare."))
    }
    blocks += shown.map { .section(course(of: $0, local, axis)) }
    // Trials without heart data have no chart.
    let others = trials.filter { $0.charts.isEmpty && $0.hearts.contains(where: \.isKnown) }
    if let first = others.first {
      let place = Whereabouts(bundle: first.path)
      let text =
        "The oldest \(shown.count) are drawn, and \(others.count.counted("trial")) more not. In \(place.folder) this draws the "
        + "next one, and its report has all its charts:"
      blocks += [
        .paragraph(StyledText(text)), .command("station chart heartRate \(place.word)"),
        .command("station report \(place.word)"),
      ]
    }
    return Section("One by one", blocks)
  }

  private func course(of trial: TrialBrief, _ local: TimeZone, _ axis: Axis) -> Section {
    let facts = trial.facts
    let pictures = trial.charts.map { heart in
      var chart = heart.heartRate
      chart.heading.subtitle = ""
      chart.vertical = axis
      let isOneOfSeveral = trial.charts.count > 1
      let whose: StyledText = isOneOfSeveral ? "Sensor " + .given(heart.recording.sensor) + "; verdict " : "Verdict "
      return CaptionedChart(chart: chart, caption: whose + Self.verdict(facts) + "; trial " + .code(facts.trial) + ".")
    }
    let clip = facts.clip.map { StyledText($0, .given) } ?? "no clip"
    return Section(
      (facts.start.map { StyledText("\(local.plainText($0)): ") } ?? StyledText()) + clip, [.figures(pictures)])
  }

  /// An axis with a range that fits several charts.
  private static func commonAxis(_ charts: [LineChart]) -> Axis {
    var axis = charts.first?.vertical ?? .heartRate
    let values = charts.flatMap(\.plots).flatMap(\.points).map(\.y).filter(\.isFinite)
    let lines = charts.flatMap(\.annotations.references).map(\.value)
    guard let low = (values + lines).min(), let high = (values + lines).max() else { return axis }
    // Extend the range to round numbers.
    axis.range =
      (low / 10).rounded(.down) * 10...max((high / 10).rounded(.up) * 10, (low / 10).rounded(.down) * 10 + 10)
    return axis
  }
}

extension Overview {
  /// A list for review: trials that are not good, changed bundles, and unreadable data.
  var lookSection: Section {
    let suspect = parts.filter { $0.facts.verdict != .good }
    let changed = parts.filter { !$0.fileProblems.isEmpty }
    var blocks: [Block] = []
    if !suspect.isEmpty { blocks.append(.table(suspectTable(suspect))) }
    if !changed.isEmpty { blocks.append(.table(changedTable(changed))) }
    if !problems.isEmpty { blocks.append(list("What could not be read or relied on", problems)) }
    if !repeated.isEmpty { blocks.append(list("What is in the folder more than once", repeated)) }
    return Section(
      "What to look at", blocks.isEmpty ? [.paragraph("Nothing: every trial is good.")] : blocks)
  }

  private func list(_ title: StyledText, _ sentences: [String]) -> Block {
    // The folder's path is not valid on other computers, and may reveal a user name.
    .section(Section(title, [.list(sentences.map { .given($0.replacing("“\(path)/", with: "“").sentence) })]))
  }

  private func suspectTable(_ suspect: [TrialBrief]) -> DataTable {
    DataTable(
      caption: "Trials that are not good",
      columns: ["trial", "participant", "session", "clip", "caveats", "verdict"].map { .init(title: StyledText($0)) },
      groups: [
        .init(
          title: nil,
          rows: suspect.map { trial in
            let facts = trial.facts
            return DataTable.Row(
              [
                .code(facts.trial), .given(facts.participant), .given(facts.session), .given(facts.clip),
                .given(facts.reasons.map(\.description.sentence).joined(separator: " ")), Self.verdict(facts),
              ], verdict: facts.verdict)
          })
      ])
  }

  private func changedTable(_ changed: [TrialBrief]) -> DataTable {
    DataTable(
      caption: "Bundles whose files are not what their manifests list",
      columns: ["trial", "bundle", "files"].map { .init(title: StyledText($0)) },
      groups: [
        .init(
          title: nil,
          rows: changed.map { trial in
            DataTable.Row([
              .code(trial.facts.trial), .code(Folder.name(of: trial.path)),
              .given(trial.fileProblems.map(\.sentence).joined(separator: " ")),
            ])
          })
      ])
  }
}
