package import Analysis
import Basics
import Bundles
import Recordings

/// The analysis of one recording as lines of text.
package struct RecordingListing {
  private let analysis: RecordingAnalysis
  private let showsDefinitions: Bool

  /// Lists an analysis, on request with the definition of each measure.
  package init(_ analysis: RecordingAnalysis, showsDefinitions: Bool = false) {
    self.analysis = analysis
    self.showsDefinitions = showsDefinitions
  }

  private var analysed: AnalysedRecording { analysis.analysed }
  private var measured: MeasuredWindow { analysis.measured }
  private var recording: Recording { analysed.recording }

  /// The maximum number of listed artefacts; the others are counted.
  private static let maxCount = 20

  /// The measures, followed by notes, phases and the response.
  package var lines: [String] {
    var lines = head
    lines += table
    if showsDefinitions { lines += [""] + definitions }
    lines += notes
    lines += phases
    if let settings = analysis.analysis.response { lines += [""] + responseLines(settings) }
    return lines
  }

  private var head: [String] {
    var lines = [
      [recording.path.visible, recording.recorder?.visible, recording.sensor.map { "sensor “\($0.visible)”" }]
        .compactMap(\.self).joined(separator: ", ")
    ]
    if let trial = recording.trial {
      lines.append(
        "trial: \([trial.trial, trial.participant, trial.session, trial.conditionWords].map(\.visible).joined(separator: ", "))"
          + (trial.clip.map { ", clip “\($0.visible)”" } ?? ", no clip") + (trial.mood.map { ", \($0.visible)" } ?? ""))
    }
    lines += [recording.simulationSentence].compactMap(\.self)
    if let bounds = measured.placed.bounds {
      let (from, to) = (bounds.lowerBound, bounds.upperBound)
      lines.append("window: \(measured.placed.title), \(from.fixed(3)) to \(to.fixed(3)) s, \((to - from).fixed(1)) s")
    } else {
      lines.append("window: \(measured.placed.title)")
    }
    lines += recording.detection.map(Self.lines) ?? []
    lines += reading
    lines.append("preset: \(analysed.settings.preset.name)")
    if let caption = recording.corrections?.caption { lines.append("corrections: \(caption.visible)") }
    if !analysed.usesRates { lines += artefacts }
    return lines + [""]
  }

  /// What numbers without times are as intervals, so that a person notices a signal that was read as intervals.
  private var reading: [String] {
    let intervals = (recording.beats?.intervals ?? []).filter { $0.isFinite && $0 > 0 }
    let sum = intervals.reduce(0, +)
    guard !recording.heart.hasTimes, sum > 0 else { return [] }
    let rate = Double(intervals.count) / sum * 60_000
    return ["as intervals these are \((sum / 60_000).fixed(1)) min of heartbeats at \(rate.fixed(0)) /min on average"]
  }

  /// How beats were found, and how they agree with others.
  private static func lines(_ detection: BeatDetection) -> [String] {
    var parts = [
      "\(detection.peaks.count.counted("beat")) detected in “\(detection.channel.visible)” by \(detection.detector)"
    ]
    if let quality = detection.quality { parts.append("signal quality \(quality.fixed(2))") }
    if detection.unclear > 0 { parts.append("\(detection.unclear.counted("unclear wave")) left out") }
    if detection.faults.flat > 0 { parts.append("flat for \(detection.faults.flat) s") }
    if detection.faults.saturated > 0 { parts.append("saturated for \(detection.faults.saturated) s") }
    guard let comparison = detection.comparison else { return ["derived: " + parts.joined(separator: "; ")] }
    let (all, both, extra) = comparison.counts
    var agreement = "\(both) of \(all.counted("beat")) of “\(comparison.reference.visible)”, \(extra) besides"
    if let (mean, deviation) = comparison.difference {
      agreement += "; later by \(mean.fixed(1)) ms, SD \(deviation.fixed(1)) ms"
    } else if 2 * both < all {
      agreement += "; too few for a mean difference: the marks may be of another recording"
    }
    return ["derived: " + parts.joined(separator: "; "), "agreement: \(agreement)"]
  }

  private var artefacts: [String] {
    let found = measured.series.artefacts
    var lines = ["artefacts: \(measured.series.account); \(measured.series.method)"]
    lines += found.prefix(Self.maxCount).map { artefact in
      "  at \(artefact.time.fixed(3)) s, \(artefact.interval.fixed(1)) ms: \(artefact.kind.words), \(artefact.change.words)"
    }
    if found.count > Self.maxCount { lines.append("  … and \(found.count - Self.maxCount) more; --json lists all") }
    return lines
  }

  private var table: [String] {
    var table = TextTable([
      ("measure", .left), ("value", .right), ("unit", .left), ("beats", .right), ("seconds", .right),
    ])
    for one in measured.measurements {
      table.add(Self.cells(one))
    }
    return table.lines
  }

  private static func cells(_ one: Measurement) -> [String] {
    let value = one.value
    let unit = value == nil ? "" : one.printedUnit
    let length = one.window.upperBound - one.window.lowerBound
    return [one.measure.title, one.measure.text(value, one.unit), unit, "\(one.beatsUsed)", length.fixed(1)]
  }

  private var definitions: [String] {
    var table = TextTable([("measure", .left), ("definition", .left)])
    for one in measured.measurements {
      let parameters = one.parameters.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
      table.add([one.measure.title, one.definition + (parameters.isEmpty ? "" : " (\(parameters))")])
    }
    return table.lines
  }

  /// Caveats and missing numbers, each once with the measures it concerns.
  private var notes: [String] {
    var lines = recording.trial.map(Self.verdict) ?? []
    lines += recording.caveats.map { "note: \("\($0)".visible)" }
    lines += measured.caveats.map { "note: \("\($0)".visible)" }
    lines += Self.notes(measured.measurements)
    return lines.isEmpty ? [] : [""] + lines
  }

  /// Missing numbers and caveats of a window's measurements, each once with the measures it concerns.
  private static func notes(_ measurements: [Measurement], _ phase: String = "") -> [String] {
    let missing = measurements.compactMap { one in one.missing.map { ("\($0)", one.measure) } }
    let warnings = measurements.flatMap { one in one.value == nil ? [] : one.caveats.map { ("\($0)", one.measure) } }
    return gathered(missing).map { "missing\(phase): \($0)" } + gathered(warnings).map { "warning\(phase): \($0)" }
  }

  private static func verdict(_ trial: TrialFacts) -> [String] {
    guard let verdict = trial.verdict, verdict != .good else { return [] }
    let reasons = trial.reasons.isEmpty ? "" : ": \(trial.reasons.map(\.description).joined(separator: "; "))"
    return ["note: The trial's verdict is \(verdict.rawValue)\(reasons)".visible + "."]
  }

  private static func gathered(_ sentences: [(text: String, measure: Measure)]) -> [String] {
    var order: [String] = []
    var measures: [String: [String]] = [:]
    for (text, measure) in sentences {
      if measures[text] == nil { order.append(text) }
      measures[text, default: []].append(measure.title)
    }
    return order.map { "\((measures[$0] ?? []).joined(separator: ", ")): \($0)" }
  }

  private var phases: [String] {
    let phases = analysed.phases
    guard !phases.isEmpty else { return [] }
    var table = TextTable([
      ("measure", .left), ("unit", .left), ("rest", .right), ("stimulus", .right), ("after", .right),
      ("reactivity", .right), ("recovery", .right),
    ])
    for phase in phases where phase.event.value != nil {
      let numbers = [phase.rest.value, phase.event.value, phase.after.value, phase.reactivity, phase.recovery]
      let digits = phase.event.measure.digits(of: phase.event.value, unit: phase.event.unit)
      table.add([phase.event.measure.title, phase.event.printedUnit] + numbers.map { $0?.fixed(digits) ?? "–" })
    }
    let windows = [("rest", \PhaseResponse.rest), ("stimulus", \.event), ("after", \.after)]
    let lengths = windows.map { name, phase in
      let coverage = phases[0][keyPath: phase].coverage
      return "\(name): \(coverage.seconds.fixed(1)) s, known for \((100 * coverage.share).fixed(0)) %"
    }
    var lines = ["\(lengths.joined(separator: "; ")); reactivity: stimulus less rest; recovery: after less stimulus"]
    for (name, phase) in windows where name != "stimulus" || measured.placed.window != .stimulus {
      lines += Self.notes(phases.map { $0[keyPath: phase] }, ", \(name)")
    }
    let compared = phases.flatMap(\.caveats).compactMap { caveat -> (measure: Measure, parts: String)? in
      guard case .unlikeWindows(let measure, let windows) = caveat else { return nil }
      return (measure, windows.map { "\($0.seconds.fixed(1)) s of \($0.name)" }.joined(separator: ", "))
    }
    lines += Self.gathered(
      compared.map { ("the value depends on the window length, and the windows differ: \($0.parts).", $0.measure) }
    )
    .map { "warning: \($0)" }
    return [""] + table.lines + lines
  }

  private func responseLines(_ settings: ResponseSettings) -> [String] {
    guard let response = analysis.response else { return ["response: \(recording.onsetIsMissing)"] }
    var table = TextTable([
      ("from, s", .right), ("to, s", .right), ("HR, /min", .right), (settings.people, .right), ("known, %", .right),
    ])
    for bin in response.bins {
      table.add([
        bin.bounds.lowerBound.fixed(2), bin.bounds.upperBound.fixed(2), bin.value.map { $0.fixed(1) } ?? "–",
        bin.response.map { $0.fixed(1) } ?? "–", (100 * bin.coverage).fixed(0),
      ])
    }
    let before = settings.baselineWindow.brief
    let baseline = response.baseline.map { ", baseline \($0.fixed(1)) /min from \(before) s" } ?? ""
    let notes =
      [settings.uncovered, response.reason?.description].compactMap(\.self) + response.caveats.map(\.description)
    return ["response to the onset at \(response.onset.fixed(3)) s\(baseline)"] + table.lines
      + notes.map { "note: \($0)" }
  }
}

extension ResponseSettings {
  /// The column heading of the bins' responses.
  var people: String {
    switch baseline {
    case .none: "response, \(unit)"
    case .difference, .percent: "difference, \(unit)"
    }
  }
}

extension Artefact.Kind {
  var words: String {
    switch self {
    case .ectopic: "ectopic"
    case .missed: "missed beat"
    case .extra: "extra beat"
    case .longOrShort: "too long or too short"
    case .outOfRange: "out of range"
    }
  }
}

extension Artefact.Change {
  /// The correction in words.
  var words: String {
    switch self {
    case .moved(let seconds): "end moved by \(seconds.fixed(3)) s"
    case .inserted(let time): "beat inserted at \(time.fixed(3)) s"
    case .removed: "joined with the next"
    case .leftOut: "left out"
    }
  }
}

extension Measure {
  /// A value of this measure with its usual number of digits; a dash for `nil`.
  fileprivate func text(_ value: Double?, _ unit: String) -> String {
    value?.fixed(digits(of: value, unit: unit)) ?? "–"
  }
}
