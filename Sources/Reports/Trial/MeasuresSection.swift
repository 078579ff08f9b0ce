internal import Analysis
internal import Recordings

extension HeartOfTrial {
  /// The measures by phase, with their definitions.
  var measuresSection: Section {
    guard !measurements.isEmpty else { return ratesSection }
    var blocks: [Block] = [.paragraph(windowsSentence)]
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

  private var preset: String { measurements.first?.first?.preset ?? "" }

  private var windowsSentence: Words {
    let windows = phases.map { phase in
      let (from, to) = (phase.window.lowerBound, phase.window.upperBound)
      return "\(phase.name), from \(seconds(from, 3)) to \(seconds(to, 3))"
    }
    return Words(
      "Times count from the trial's zero: \(windows.joined(separator: "; ")). An interval belongs to a phase in which it "
        + "lies wholly.")
  }

  private var measuresTable: DataTable {
    var notes = Notes()
    let domains: [(Measure.Domain, Words)] = [
      (.heartRate, "Heart rate"), (.time, "Time domain"), (.nonlinear, "Non-linear"), (.frequency, "Frequency domain"),
    ]
    var groups = domains.map { domain, title in
      DataTable.Group(
        title: title,
        rows: Self.measures.enumerated().filter { $0.element.domain == domain }.map { place, _ in
          row(measurements.map { $0[place] }, &notes)
        })
    }
    groups.append(DataTable.Group(title: "What they are made of", rows: coverageRows))
    return DataTable(
      caption: "Measures by phase",
      columns: [.init(title: "measure")] + phases.map { .init(title: Words($0.name), isNumber: true) }
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
    let first = measurements.map { $0.first }
    func row(_ title: Words, unit: Words, _ definition: String, _ value: (Measurement) -> String) -> DataTable.Row {
      DataTable.Row([title] + first.map { Words($0.map(value) ?? "–") } + [unit, .faint(definition)])
    }
    return [
      row("window", unit: "s", "from the first beat in the phase to the last") {
        ($0.window.upperBound - $0.window.lowerBound).decimals(1)
      },
      row("intervals", unit: "", "intervals between beats in the phase") { "\($0.beatsUsed)" },
      row("artefacts", unit: "%", "share of the recorded intervals that were corrected or left out") {
        (100 * $0.artefactShare).decimals(1)
      },
    ]
  }

  /// Each set of choices once, with the measures that share it.
  private var parameterFacts: [Fact] {
    var sets: [(titles: [String], parameters: [Measurement.Parameter])] = []
    // What a phase's own beats decide, such as the number of segments, stands with the phase that has the most of it.
    let phase = measurements.max { ($0.first?.beatsUsed ?? 0) < ($1.first?.beatsUsed ?? 0) } ?? []
    for measurement in phase where !measurement.parameters.isEmpty {
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

  /// What can be said where the sensor told rates and no beats.
  private var ratesSection: Section {
    let track = recording.track
    let rows = phases.map { phase -> DataTable.Row in
      let inside = zip(recording.rates.times, recording.rates.values).filter { phase.window.contains($0.0) }.map(\.1)
      let (rate, coverage) = track.mean(from: phase.window.lowerBound, to: phase.window.upperBound)
      return DataTable.Row([
        Words(phase.name), Words("\(seconds(phase.window.lowerBound)) – \(seconds(phase.window.upperBound))"),
        Words("\(inside.count)"), rate.map { Words($0.decimals(1)) } ?? .none,
        inside.min().map { Words($0.decimals(1)) } ?? .none, inside.max().map { Words($0.decimals(1)) } ?? .none,
        Words((100 * coverage).decimals(0)),
      ])
    }
    return Section(
      "Measures",
      [
        .paragraph(
          "The sensor told heart rates and no intervals between beats, so that there is no heart-rate variability to "
            + "measure. The mean is weighted with time: each rate stands for the time since the one before it, two "
            + "seconds at most."),
        .table(
          DataTable(
            caption: "Heart rate by phase",
            columns: [
              .init(title: "phase"), .init(title: "from – to", isNumber: true), .init(title: "rates", isNumber: true),
              .init(title: "mean, /min", isNumber: true), .init(title: "minimum, /min", isNumber: true),
              .init(title: "maximum, /min", isNumber: true), .init(title: "known, %", isNumber: true),
            ], groups: [.init(title: nil, rows: rows)])),
      ])
  }
}

extension String {
  /// A number with more digits than anybody reads, to the thousandth.
  fileprivate var shortened: String {
    guard let number = Double(self), let point = firstIndex(of: "."), self[point...].count > 5 else { return self }
    return number.decimals(3)
  }
}
