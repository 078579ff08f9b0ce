import Analysis
import Recordings

extension ReportedHeart {
  /// The measures by phase, with their definitions, and how to reproduce them.
  var measuresSection: Section {
    var blocks: [Block] = analysed.usesRates ? [.paragraph(Self.ratesSentence)] : []
    blocks.append(.paragraph(windowsSentence))
    let caveats = phases.flatMap { phase in
      phase.measured.caveats.map { StyledText((phases.count > 1 ? "\(phase.name.capitalizedFirst): " : "") + "\($0)") }
    }
    if !caveats.isEmpty { blocks.append(.list(caveats)) }
    if let warning = comparability { blocks.append(.paragraph(StyledText(warning, .strong))) }
    let parameters = parameters
    blocks.append(.table(measuresTable(parameters.own)))
    if !parameters.shared.isEmpty {
      let preset = analysed.settings.preset.name
      blocks.append(
        .section(
          Section(
            "How they were computed",
            [
              .paragraph(StyledText("Choices within the definitions, by the preset “\(preset)”.")),
              .facts(parameters.shared),
            ])))
    }
    return Section("Measures", blocks)
  }

  private static let ratesSentence: StyledText =
    "The sensor reported heart rates but no intervals between beats, so heart-rate variability cannot be measured."

  private var windowsSentence: StyledText {
    let windows = phases.map { phase in
      phase.measured.placed.bounds.map {
        "\(phase.name), from \(seconds($0.lowerBound, 3)) to \(seconds($0.upperBound, 3))"
      } ?? "\(phase.name), which has no place in this recording"
    }
    let zero = recording.trial == nil ? "the recording's beginning" : "the trial's zero"
    let rule =
      analysed.usesRates
      ? "A rate belongs to the phase in which it was reported."
      : "An interval belongs to a phase in which it lies wholly."
    let change =
      changes.isEmpty
      ? ""
      : " The change is the \(eventName) less before\(hasAfter ? ", the recovery is after less the \(eventName)" : "")."
    return StyledText("Times count from \(zero): \(windows.joined(separator: "; ")). \(rule)\(change)")
  }

  /// A remark on the measures that cannot be compared between phases of unequal length; `nil` if all can.
  private var comparability: String? {
    var measures: [String] = []
    var lengths: [String] = []
    for case .unlikeWindows(let measure, let windows) in changes.flatMap(\.caveats) {
      measures.append(measure.title)
      lengths = windows.map { "\($0.name) \(seconds($0.seconds))" }
    }
    guard !measures.isEmpty else { return nil }
    return
      "Phases are known for unlike times (\(lengths.joined(separator: ", "))). Measures that depend on how long is "
      + "measured, and their changes, do not compare: \(measures.joined(separator: ", "))."
  }

  private func measuresTable(_ own: [DataTable.Row]) -> DataTable {
    var notes = Notes()
    let domains: [(Measure.Domain, StyledText)] = [
      (.heartRate, "Heart rate"), (.time, "Time domain"), (.nonlinear, "Non-linear"), (.frequency, "Frequency domain"),
    ]
    // Report the absence of intervals once, instead of for each measure.
    var groups = domains.prefix(analysed.usesRates ? 1 : domains.count).map { domain, title in
      DataTable.Group(
        title: title,
        rows: analysed.settings.measures.enumerated().filter { $0.element.domain == domain }.map { place, _ in
          row(place, &notes)
        })
    }
    groups.append(DataTable.Group(title: "What they are made of", rows: coverageRows + own))
    let hasPhases = phases.count > 1
    return DataTable(
      caption: StyledText((analysed.usesRates ? "Heart rate" : "Measures") + (hasPhases ? " by phase" : "")),
      columns: [.init(title: "measure")] + phases.map { .init(title: StyledText($0.name), isNumber: true) }
        + changeColumns.map { .init(title: $0, isNumber: true) }
        + [.init(title: "unit"), .init(title: "definition")],
      groups: groups, notes: notes.sentences)
  }

  /// The columns for changes between the phases shown.
  private var changeColumns: [StyledText] { changes.isEmpty ? [] : hasAfter ? ["change", "recovery"] : ["change"] }

  private func row(_ place: Int, _ notes: inout Notes) -> DataTable.Row {
    let measurements = phases.map { $0.measured.measurements[place] }
    var cells = measurements.map { measurement in
      switch measurement.outcome {
      case .value(let number):
        notes.cell(StyledText(number.decimals(measurement.digits)), measurement.caveats.map(\.general))
      case .missing(let reason): notes.cell(.none, ["\(reason)"])
      }
    }
    if !changes.isEmpty {
      let change = changes[place]
      for difference in [change.reactivity, change.recovery].prefix(changeColumns.count) {
        let number = difference.map { StyledText($0.change(change.event.digits)) } ?? .none
        cells.append(number)
      }
    }
    let first = measurements.first
    return DataTable.Row(
      [StyledText(first?.measure.title ?? "", .strong)] + cells
        + [StyledText(first?.printedUnit ?? ""), StyledText(first?.definition ?? "", .faint)])
  }

  /// A row with a text for each phase and no comparison.
  private func row(_ title: StyledText, _ values: [String], unit: StyledText = "", _ definition: String)
    -> DataTable.Row
  {
    DataTable.Row(
      [title] + values.map { StyledText($0) } + [StyledText](repeating: StyledText(), count: changeColumns.count)
        + [unit, .faint(definition)])
  }

  private var coverageRows: [DataTable.Row] {
    func all(_ value: (Measurement) -> String) -> [String] {
      phases.map { $0.measured.measurements.first.map(value) ?? "–" }
    }
    let usesRates = analysed.usesRates
    let rows = [
      row(
        "window", all { ($0.window.upperBound - $0.window.lowerBound).decimals(1) }, unit: "s",
        "from the first \(usesRates ? "rate" : "beat") in the phase to the last"),
      row(
        "known", phases.map { (100 * $0.measured.coverage).decimals(0) }, unit: "%",
        "share of the phase that \(usesRates ? "rates stand for" : "intervals cover")"),
      row(
        usesRates ? "rates" : "intervals", all { "\($0.beatsUsed)" },
        usesRates ? "heart rates that the sensor reported in the phase" : "intervals between beats in the phase"),
    ]
    guard !usesRates else { return rows }
    return rows + [
      row(
        "artefacts", all { (100 * $0.artefactShare).decimals(1) }, unit: "%",
        "share of the recorded intervals that were corrected or left out")
    ]
  }

  /// The parameters of the definitions: those shared by all phases, each set listed once with its measures, and those
  /// that depend on a phase's beats, such as the number of segments.
  private var parameters: (shared: [Fact], own: [DataTable.Row]) {
    var shared: [(titles: [String], parameters: [String])] = []
    var own: [(titles: [String], name: String, values: [String])] = []
    for (place, measure) in analysed.settings.measures.enumerated() {
      let sets = phases.map { $0.measured.measurements[place].parameters }
      var names: [String] = []
      for name in sets.joined().map(\.name) where !names.contains(name) { names.append(name) }
      var common: [String] = []
      for name in names {
        let values = sets.map { $0.first { $0.name == name }?.value.shortened ?? "–" }
        if Set(values).count == 1 {
          common.append("\(name): \(values[0])")
        } else if let found = own.firstIndex(where: { $0.name == name && $0.values == values }) {
          own[found].titles.append(measure.title)
        } else {
          own.append(([measure.title], name, values))
        }
      }
      guard !common.isEmpty else { continue }
      if let found = shared.firstIndex(where: { $0.parameters == common }) {
        shared[found].titles.append(measure.title)
      } else {
        shared.append(([measure.title], common))
      }
    }
    return (
      shared.map { Fact($0.titles.joined(separator: ", "), StyledText($0.parameters.joined(separator: "; "))) },
      analysed.usesRates
        ? [] : own.map { row(StyledText($0.name), $0.values, "of \($0.titles.joined(separator: ", "))") }
    )
  }
}

extension Notes {
  /// A cell with the references to its footnotes, in order.
  mutating func cell(_ number: StyledText, _ sentences: [String]) -> StyledText {
    let references = sentences.map { reference(StyledText($0)) }
    let ordered = references.sorted { (Int($0.text) ?? 0) < (Int($1.text) ?? 0) }
    return ordered.enumerated().reduce(number) { cell, note in
      cell + StyledText(note.offset == 0 ? "\u{202f}" : ",") + note.element
    }
  }
}

extension String {
  /// The number, rounded to thousandths if it has more decimals than a reader needs.
  fileprivate var shortened: String {
    guard let number = Double(self), let point = firstIndex(of: "."), self[point...].count > 5 else { return self }
    return number.decimals(3)
  }
}
