package import Basics
import Bundles
import Recordings

/// The measures, phases and response of one recording.
package struct RecordingAnalysis: Sendable {
  package let analysis: TrialAnalysis
  /// The recording with its artefacts corrected.
  package let analysed: AnalysedRecording
  package let measured: MeasuredWindow
  /// The response to the onset; `nil` if none was requested, or there is no onset.
  package let response: LockedResponse?

  package init(_ recording: Recording, _ analysis: TrialAnalysis) {
    self.analysis = analysis
    let analysed = AnalysedRecording(recording, analysis.settings)
    self.analysed = analysed
    measured = analysed.measured(in: analysis.window)
    response = analysis.response.flatMap { analysed.response($0) }
  }
}

extension RecordingAnalysis {
  /// The analysis as JSON, with definition, parameters, window, beats, artefacts and caveats for every number.
  package var json: JSONValue {
    let recording = analysed.recording
    return [
      "path": .string(recording.path),
      "sensor": .text(recording.sensor),
      "recorder": .text(recording.recorder),
      "trial": recording.trial.map(Self.json) ?? nil,
      "simulated": .bool(recording.isSimulated),
      "source": .string(measured.source.rawValue),
      "intervals": .integer(analysed.series.raw.count),
      "heartRates": .integer(recording.rates.values.count),
      "preset": .string(analysis.settings.preset.name),
      "artefacts": Self.json(analysed.series),
      "corrections": recording.corrections?.json ?? nil,
      "event": recording.event.map(Self.json) ?? nil,
      "window": Self.json(measured.placed),
      "coverage": .finite(measured.coverage),
      "measurements": .array(measured.measurements.map(\.json)),
      "phases": .array(
        analysed.phases.map { phase in
          [
            "measure": .string(phase.event.measure.rawValue), "unit": .string(phase.event.unit),
            "rest": phase.rest.json, "stimulus": phase.event.json, "after": phase.after.json,
            "reactivity": .finite(phase.reactivity), "recovery": .finite(phase.recovery),
            "remainder": .finite(phase.remainder), "caveats": .array(phase.caveats.map(\.json)),
          ]
        }),
      "response": analysis.response.map { response?.json ?? missing($0) } ?? nil,
      "detection": recording.detection.map(Self.json) ?? nil,
      "unreadColumns": .array(recording.unreadColumns.map { .string($0) }),
      "caveats": .array(recording.caveats.map(\.json) + measured.caveats.map(\.json)),
    ]
  }

  /// A response without an event to lock to.
  private func missing(_ settings: ResponseSettings) -> JSONValue {
    [
      "onset_s": nil, "baseline": nil, "baselineCoverage": nil, "reason": analysed.recording.onsetIsMissing.json,
      "caveats": [], "settings": settings.json, "bins": [],
    ]
  }

  private static func json(_ detection: BeatDetection) -> JSONValue {
    [
      "detector": .string(detection.detector), "channel": .string(detection.channel),
      "rate_Hz": .finite(detection.rate), "beats": .integer(detection.peaks.count),
      "unclear": .integer(detection.unclear), "quality": .finite(detection.quality),
      "flat_s": .integer(detection.faults.flat), "saturated_s": .integer(detection.faults.saturated),
      "peaks_s": .array(detection.peaks.map { .finite(($0 * 1e6).rounded() / 1e6) }),
      "comparison": detection.comparison.map { comparison in
        [
          "reference": .string(comparison.reference), "beats": .integer(comparison.counts.reference),
          "both": .integer(comparison.counts.both), "extra": .integer(comparison.counts.extra),
          "meanDifference_ms": .finite(comparison.difference?.mean),
          "differenceSD_ms": .finite(comparison.difference?.deviation),
        ]
      } ?? nil,
    ]
  }

  static func json(_ trial: TrialFacts) -> JSONValue {
    [
      "identifier": .string(trial.trial), "participant": .string(trial.participant), "session": .string(trial.session),
      "condition": .text(trial.condition), "clip": .text(trial.clip),
      "mood": .text(trial.mood), "startDate": .text(trial.start.map { "\($0)" }),
      "outcome": .text(trial.outcome?.rawValue),
      "verdict": .text(trial.verdict?.rawValue), "simulated": .bool(trial.simulation.isSimulated),
      "caveats": .array(trial.reasons.map(\.json)),
    ]
  }

  static func json(_ event: TrialEvent) -> JSONValue {
    ["name": .string("\(event.source)"), "onset_s": .finite(event.onset), "offset_s": .finite(event.offset)]
  }

  static func json(_ window: PlacedWindow) -> JSONValue {
    [
      "name": .string("\(window.window)"), "from_s": .finite(window.bounds?.lowerBound),
      "to_s": .finite(window.bounds?.upperBound), "reason": window.missing?.json ?? nil,
    ]
  }

  private static func json(_ series: CorrectedSeries) -> JSONValue {
    [
      "method": .string(series.method), "share": .finite(series.artefactShare),
      "altered": .integer(series.altered.count),
      "omitted": .integer(series.raw.omitted.count),
      "found": .array(
        series.artefacts.map { artefact in
          var members: [String: JSONValue] = [
            "index": .integer(artefact.index), "time_s": .finite(artefact.time),
            "interval_ms": .finite(artefact.interval), "kind": .string(artefact.kind.rawValue),
          ]
          switch artefact.change {
          case .moved(let seconds): (members["change"], members["moved_s"]) = ("moved", .finite(seconds))
          case .inserted(let time): (members["change"], members["inserted_s"]) = ("inserted", .finite(time))
          case .removed: members["change"] = "removed"
          case .leftOut: members["change"] = "leftOut"
          }
          return .object(members)
        }),
    ]
  }
}

extension Measurement {
  /// The value with everything needed to reproduce it.
  var json: JSONValue {
    [
      "measure": .string(measure.rawValue), "title": .string(measure.title), "value": .finite(value),
      "reason": missing?.json ?? nil,
      "unit": .string(unit), "definition": .string(definition),
      "parameters": .array(parameters.map { ["name": .string($0.name), "value": .string($0.value)] }),
      "preset": .string(preset), "correction": .string(correction), "from_s": .finite(window.lowerBound),
      "to_s": .finite(window.upperBound), "known_s": .finite(knownSeconds), "coverage": .finite(coverage.share),
      "beats": .integer(beatsUsed), "artefactShare": .finite(artefactShare),
      "caveats": .array(caveats.map(\.json)),
    ]
  }
}

extension LockedResponse {
  /// The response with its settings.
  var json: JSONValue {
    [
      "onset_s": .finite(onset), "baseline": .finite(baseline), "baselineCoverage": .finite(baselineCoverage?.share),
      "reason": reason?.json ?? nil, "caveats": .array(caveats.map(\.json)), "settings": settings.json,
      "bins": .array(
        bins.map { bin in
          [
            "from_s": .finite(bin.bounds.lowerBound), "to_s": .finite(bin.bounds.upperBound),
            "heartRate": .finite(bin.value), "response": .finite(bin.response), "coverage": .finite(bin.coverage),
          ]
        }),
    ]
  }
}

extension ResponseSettings {
  var json: JSONValue {
    [
      "before_s": .finite(before), "after_s": .finite(after), "bin_s": .finite(binWidth),
      "baseline": .string(baseline.rawValue), "baselineFrom_s": .finite(baselineWindow.lowerBound),
      "baselineTo_s": .finite(baselineWindow.upperBound), "leastCoverage": .finite(Coverage.minimum),
      "unit": .string(unit), "uncovered": .text(uncovered),
    ]
  }
}
