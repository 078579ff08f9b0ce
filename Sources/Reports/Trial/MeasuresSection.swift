internal import Analysis
internal import Recordings

extension HeartOfTrial {
  /// The measures by phase, with their definitions.
  var measuresSection: Section {
    var blocks: [Block] = analysed.usesRates ? [.paragraph(Self.ratesSentence)] : []
    blocks.append(.paragraph(windowsSentence))
    blocks.append(.table(measuresTable))
    let parameters = parameterFacts
    if !parameters.isEmpty {
      blocks.append(
        .section(
          Section(
            "How they were computed",
            [.paragraph(Words("Choices within the definitions, by the preset “\(preset)”.")), .facts(parameters)])))
    }
    return Section("Measures", blocks)
  }

  private var preset: String { analysed.settings.preset.name }

  private static let ratesSentence: Words =
    "The sensor told heart rates and no intervals between beats, so that there is no heart-rate variability to measure."

  private var windowsSentence: Words {
    let windows = phases.compactMap { phase in
      phase.placed.bounds.map {
        "\(phase.phaseName), from \(seconds($0.lowerBound, 3)) to \(seconds($0.upperBound, 3))"
      }
    }
    let rule =
      analysed.usesRates
      ? "A rate belongs to the phase in which it was told." : "An interval belongs to a phase in which it lies wholly."
    return Words("Times count from the trial's zero: \(windows.joined(separator: "; ")). \(rule)")
  }

  private var measuresTable: DataTable {
    var notes = Notes()
    let domains: [(Measure.Domain, Words)] = [
      (.heartRate, "Heart rate"), (.time, "Time domain"), (.nonlinear, "Non-linear"), (.frequency, "Frequency domain"),
    ]
    // What needs intervals is said once, and not of each measure.
    var groups = domains.prefix(analysed.usesRates ? 1 : domains.count).map { domain, title in
      DataTable.Group(
        title: title,
        rows: analysed.settings.measures.enumerated().filter { $0.element.domain == domain }.map { place, _ in
          row(phases.map { $0.measurements[place] }, &notes)
        })
    }
    groups.append(DataTable.Group(title: "What they are made of", rows: coverageRows))
    return DataTable(
      caption: analysed.usesRates ? "Heart rate by phase" : "Measures by phase",
      columns: [.init(title: "measure")] + phases.map { .init(title: Words($0.phaseName), isNumber: true) }
        + [.init(title: "unit"), .init(title: "definition")],
      groups: groups, notes: notes.sentences)
  }

  private func row(_ measurements: [Measurement], _ notes: inout Notes) -> DataTable.Row {
    var cells: [Words] = []
    for measurement in measurements {
      var sentences = measurement.warnings
      var cell = Words.none
      switch measurement.outcome {
      case .value(let number): cell = Words(number.decimals(measurement.digits))
      case .missing(let reason): sentences = [reason]
      }
      for (place, sentence) in sentences.enumerated() {
        cell += Words(place == 0 ? "\u{202f}" : ",") + notes.reference(Words(Self.ofAnyPhase(sentence)))
      }
      cells.append(cell)
    }
    let first = measurements.first
    return DataTable.Row(
      [Words(first?.measure.title ?? "", .strong)] + cells
        + [Words(first?.printedUnit ?? ""), Words(first?.definition ?? "", .faint)])
  }

  /// A warning without the length of its own phase, which stands in the table: phases then share their notes.
  private static func ofAnyPhase(_ warning: String) -> String {
    var words = warning.split(separator: " ", omittingEmptySubsequences: false)
    if words.count > 5, warning.hasPrefix("The window of "), words[4] == "s" {
      words.removeSubrange(2...4)
    } else if words.count > 2, words[1] == "intervals", words[0].allSatisfy(\.isNumber) {
      words[0] = "The"
    }
    return words.joined(separator: " ")
  }

  private var coverageRows: [DataTable.Row] {
    let first = phases.map { $0.measurements.first }
    func row(_ title: Words, unit: Words, _ definition: String, _ value: (Measurement) -> String) -> DataTable.Row {
      DataTable.Row([title] + first.map { Words($0.map(value) ?? "–") } + [unit, .faint(definition)])
    }
    let usesRates = analysed.usesRates
    let rows = [
      row("window", unit: "s", "from the first \(usesRates ? "rate" : "beat") in the phase to the last") {
        ($0.window.upperBound - $0.window.lowerBound).decimals(1)
      },
      row(
        usesRates ? "rates" : "intervals", unit: "",
        usesRates ? "heart rates that the sensor told in the phase" : "intervals between beats in the phase"
      ) { "\($0.beatsUsed)" },
    ]
    guard !usesRates else {
      let known = phases.map { Words((100 * $0.coverage).decimals(0)) }
      return rows + [DataTable.Row(["known"] + known + ["%", .faint("share of the phase that the rates stand for")])]
    }
    return rows + [
      row("artefacts", unit: "%", "share of the recorded intervals that were corrected or left out") {
        (100 * $0.artefactShare).decimals(1)
      }
    ]
  }

  /// Each set of choices once, with the measures that share it.
  private var parameterFacts: [Fact] {
    var sets: [(titles: [String], parameters: [Measurement.Parameter])] = []
    // What a phase's own beats decide, such as the number of segments, stands with the phase that has the most of it.
    let phase = phases.max { ($0.measurements.first?.beatsUsed ?? 0) < ($1.measurements.first?.beatsUsed ?? 0) }
    for measurement in phase?.measurements ?? [] where !measurement.parameters.isEmpty {
      if let place = sets.firstIndex(where: { $0.parameters == measurement.parameters }) {
        sets[place].titles.append(measurement.measure.title)
      } else {
        sets.append(([measurement.measure.title], measurement.parameters))
      }
    }
    return sets.map { titles, parameters in
      Fact(
        titles.joined(separator: ", "),
        Words(parameters.map { "\($0.name): \($0.value.shortened)" }.joined(separator: "; ")))
    }
  }
}

extension String {
  /// A number with more digits than anybody reads, to the thousandth.
  fileprivate var shortened: String {
    guard let number = Double(self), let point = firstIndex(of: "."), self[point...].count > 5 else { return self }
    return number.decimals(3)
  }
}
