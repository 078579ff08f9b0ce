import Bundles
package import Recordings

/// What is measured in each of many trials, alike in all of them.
package struct TrialAnalysis: Sendable {
  /// How recordings are measured.
  package var settings: AnalysisSettings
  /// The part that is measured.
  ///
  /// ``AnalysisWindow/automatic`` is the stimulus of every trial, so that no trial is measured over another time than the
  /// rest; of a file from outside a trial it is everything.
  package var window: AnalysisWindow
  /// The window that numbers are compared with; `nil` for none.
  package var baseline: AnalysisWindow?
  /// How they are compared.
  package var change: BaselineChange
  /// How responses are read off; `nil` for none.
  package var response: ResponseSettings?
  /// How the trials are read, and so what they are compared with around them.
  package var reading = ReadingOptions()

  package init(
    _ settings: AnalysisSettings = AnalysisSettings(), window: AnalysisWindow = .automatic,
    baseline: AnalysisWindow? = nil, change: BaselineChange = .difference, response: ResponseSettings? = nil
  ) {
    self.settings = settings
    self.window = window
    self.baseline = baseline
    self.change = change
    self.response = response
  }

  /// Measures what one trial or file holds.
  ///
  /// - Parameters:
  ///   - recordings: what each of its sensors, or recorders, recorded.
  ///   - place: its place among the others.
  ///   - measuresWindows: whether measures are wanted besides the response.
  /// - Returns: its rows and responses.
  package func outcome(of recordings: [Recording], at place: TrialPlace, measuresWindows: Bool = true) -> TrialOutcome {
    var outcome = TrialOutcome(place: place, trial: recordings.first?.trial)
    outcome.isSimulated = recordings.contains(where: \.isSimulated)
    for recording in recordings {
      let analysed = AnalysedRecording(recording, settings)
      if measuresWindows { outcome.rows += rows(of: analysed, at: place) }
      if let response {
        outcome.responses.append(
          TrialResponse(of: recording, at: place, analysed.response(response), settings.correction))
      }
    }
    return outcome
  }

  package func rows(of analysed: AnalysedRecording, at place: TrialPlace) -> [TrialRow] {
    let recording = analysed.recording
    let isStrict = window == .automatic && recording.trial != nil
    let measured = analysed.measured(in: isStrict ? .stimulus : window, settings.measures)
    let other = baseline.flatMap {
      SessionBaseline($0, recording.trial, at: place)?.recording(like: recording, reading)
    }
    let compared = other?.value.map { AnalysedRecording($0, settings) } ?? analysed
    let before = baseline.map { compared.measured(in: $0, settings.measures) }
    let head = TrialRowHead(recording, at: place)
    return measured.measurements.indices.map { index in
      TrialRow(
        head, measured, index, baseline: before, of: other?.value?.trial, other?.problem, change, settings.correction,
        recording.caveats)
    }
  }
}

/// What came of one trial or file.
package struct TrialOutcome: Sendable {
  /// Its place among the others.
  let place: TrialPlace
  /// The trial; `nil` for a file from outside a trial.
  var trial: TrialFacts?
  package var isSimulated: Bool
  /// Its measures, sensor by sensor.
  package var rows: [TrialRow] = []
  /// Its responses, one of each sensor.
  package var responses: [TrialResponse] = []

  package init(place: TrialPlace, trial: TrialFacts?) {
    self.place = place
    self.trial = trial
    isSimulated = trial?.simulation.isSimulated ?? false
  }
}

/// A request to analyse trials and files.
package struct AnalysisRequest: Sendable {
  /// Which heart data to use.
  package let choice: RecordingChoice
  package let analysis: TrialAnalysis
  /// What trials are grouped by; `nil` if it was not requested.
  package let grouping: TrialGrouping?
  /// Which of several trials to use.
  package let selection: TrialSelection
  /// The group that others are compared with; `nil` for all pairs.
  package let reference: String?
  /// How confidence intervals are computed.
  package let bootstrap: Bootstrap

  package init(
    _ choice: RecordingChoice, _ analysis: TrialAnalysis, by grouping: TrialGrouping?, selection: TrialSelection,
    reference: String?, bootstrap: Bootstrap
  ) {
    var analysis = analysis
    analysis.reading = choice.reading
    (self.choice, self.analysis, self.grouping) = (choice, analysis, grouping)
    (self.selection, self.reference, self.bootstrap) = (selection, reference, bootstrap)
  }
}

/// The format name of JSON documents with analyses; see `protocols/analysis.schema.json`.
package enum AnalysisFormat: Sendable {
  package static let name = "station.analysis/1"
}
