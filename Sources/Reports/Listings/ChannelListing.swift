package import Analysis
import Basics
import Bundles
import Quantities
import Recordings

/// The analysis of one recording of another quantity than the heart's, as lines of text.
package struct ChannelListing {
  private let analysis: ChannelAnalysis

  package init(_ analysis: ChannelAnalysis) { self.analysis = analysis }

  private var series: ChannelSeries { analysis.recording.series }
  private var unit: String { series.unit.symbol }

  /// The measures, followed by the phases and the response.
  package var lines: [String] {
    var lines = head + [""] + table
    if let missing = analysis.measured.missing { lines += ["", "missing: \(missing)"] }
    if series.withoutContact > 0 {
      lines += ["", "note: \(series.withoutContact.counted("sample")) without skin contact left out"]
    }
    lines += phases
    if let settings = analysis.settings { lines += [""] + response(settings) }
    return lines
  }

  private var head: [String] {
    let placed = analysis.measured.placed
    var lines = [
      "\(series.path.visible), \(series.recorder.visible), sensor “\(series.sensor.visible)”: "
        + "\(series.type.channelName) in \(unit)"
    ]
    if let trial = analysis.recording.trial {
      lines.append(
        "trial: \([trial.trial, trial.participant, trial.session, trial.conditionWords].map(\.visible).joined(separator: ", "))"
          + (trial.clip.map { ", clip “\($0.visible)”" } ?? ", no clip"))
      lines += [trial.simulation.sentence].compactMap(\.self)
    }
    let bounds = placed.bounds.map { bounds in
      let (from, to) = (bounds.lowerBound, bounds.upperBound)
      return ", \(from.fixed(3)) to \(to.fixed(3)) s, \((to - from).fixed(1)) s"
    }
    lines.append("window: \(placed.title)\(bounds ?? "")")
    return lines
  }

  private var table: [String] {
    let measured = analysis.measured
    let numbers = measured.numbers
    var table = TextTable([("measure", .left), ("value", .right), ("unit", .left)])
    for (name, value, unit) in [
      ("mean", numbers?.mean, unit), ("SD", numbers?.deviation, unit), ("minimum", numbers?.minimum, unit),
      ("median", numbers?.median, unit), ("maximum", numbers?.maximum, unit),
      ("slope", numbers?.slope, "\(unit) per min"),
    ] {
      table.add([name, value?.brief ?? "–", value == nil ? "" : unit])
    }
    return table.lines + [
      "\(measured.count.counted("sample")), known for \((100 * measured.coverage).fixed(0)) % of the window"
    ]
  }

  private var phases: [String] {
    guard analysis.phases.count == 3, analysis.phases.contains(where: { $0.numbers != nil }) else { return [] }
    var table = TextTable([
      ("mean, \(unit)", .left), ("value", .right), ("SD", .right), ("samples", .right), ("known, %", .right),
    ])
    for (name, phase) in zip(["rest", "stimulus", "after"], analysis.phases) {
      table.add([
        name, phase.numbers?.mean.brief ?? "–", phase.numbers?.deviation?.brief ?? "–", "\(phase.count)",
        (100 * phase.coverage).fixed(0),
      ])
    }
    return [""] + table.lines
  }

  private func response(_ settings: ResponseSettings) -> [String] {
    guard let response = analysis.response else { return ["response: \(analysis.recording.onsetIsMissing)"] }
    let heading =
      switch settings.baseline {
      case .none: "response, \(unit)"
      case .difference: "difference, \(unit)"
      case .percent: "difference, %"
      }
    var table = TextTable([
      ("from, s", .right), ("to, s", .right), ("\(series.type.channelName), \(unit)", .right), (heading, .right),
      ("known, %", .right),
    ])
    for bin in response.bins {
      table.add([
        bin.bounds.lowerBound.fixed(2), bin.bounds.upperBound.fixed(2), bin.value?.brief ?? "–",
        bin.response?.brief ?? "–", (100 * bin.coverage).fixed(0),
      ])
    }
    let before = settings.baselineWindow.brief
    let baseline = response.baseline.map { ", baseline \($0.brief) \(unit) from \(before) s" } ?? ""
    return ["response to the onset at \(response.onset.fixed(3)) s\(baseline)"] + table.lines
  }
}
