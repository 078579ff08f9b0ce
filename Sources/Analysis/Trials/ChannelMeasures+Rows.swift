package import Quantities
import Recordings

extension Measure {
  var definitionOfSamples: String {
    switch self {
    case .mean: "mean of the samples"
    case .sd: "standard deviation of the samples, n - 1"
    case .minimum: "smallest sample"
    case .median: "median of the samples"
    case .maximum: "largest sample"
    default: "slope of the line of least squares through the samples, per minute"
    }
  }

  func unit(ofSamplesIn unit: String) -> String { self == .slope ? "\(unit)/min" : unit }
}

extension ChannelMeasures {
  /// The measures in the form of those of hearts.
  func window(_ measures: [Measure], of recording: ChannelRecording) -> MeasuredWindow {
    let bounds = placed.bounds ?? 0...0
    let ample = Coverage(window: bounds, share: coverage)
    let measurements = measures.map { measure in
      let value = number(measure)
      return Measurement(
        measure: measure, outcome: value.map { .value($0) } ?? .missing(missing ?? .nothingRecorded),
        unit: measure.unit(ofSamplesIn: recording.series.unit.symbol), definition: measure.definitionOfSamples,
        parameters: [], preset: "station", window: bounds, knownSeconds: coverage * ample.seconds, beatsUsed: count,
        artefactShare: 0, caveats: []
      ).covering(ample)
    }
    return MeasuredWindow(
      placed: placed, series: ArtefactCorrection.none.correct(IntervalSeries([])), measurements: measurements,
      source: .intervals, coverage: coverage, caveats: [placed.caveat].compactMap(\.self))
  }

  private func number(_ measure: Measure) -> Double? {
    switch measure {
    case .mean: numbers?.mean
    case .sd: numbers?.deviation
    case .minimum: numbers?.minimum
    case .median: numbers?.median
    case .maximum: numbers?.maximum
    case .slope: numbers?.slope
    default: nil
    }
  }
}

extension TrialAnalysis {
  /// Measures what one trial holds of other quantities than the heart's.
  ///
  /// - Parameters:
  ///   - channels: what its recorders recorded.
  ///   - place: its place among the others.
  ///   - measuresWindows: whether measures are wanted besides the response.
  /// - Returns: its rows and responses.
  package func outcome(
    of channels: [ChannelRecording], at place: TrialPlace, measuresWindows: Bool = true
  ) -> TrialOutcome {
    var outcome = TrialOutcome(place: place, trial: channels.first?.trial)
    for channel in channels {
      if let response { outcome.responses.append(TrialResponse(of: channel, at: place, response)) }
      guard measuresWindows else { continue }
      let measured = measured(channel, window == .automatic ? .stimulus : window)
      let other = baseline.flatMap { SessionBaseline($0, channel.trial, at: place)?.channel(like: channel) }
      let before = baseline.map { self.measured(other?.value ?? channel, $0) }
      let head = TrialRowHead(channel, at: place)
      outcome.rows += measured.measurements.indices.map { index in
        TrialRow(head, measured, index, baseline: before, of: other?.value?.trial, other?.problem, change, .none, [])
      }
    }
    return outcome
  }

  private func measured(_ channel: ChannelRecording, _ window: AnalysisWindow) -> MeasuredWindow {
    ChannelMeasures(of: channel, in: window).window(settings.samplesMeasures, of: channel)
  }
}

extension TrialResponse {
  /// The response of another quantity than the heart's, or `nil` where it has nothing that one could be locked to.
  package init(of channel: ChannelRecording, at place: TrialPlace, _ settings: ResponseSettings) {
    var settings = settings
    let type = channel.series.type
    settings.quantity = ResponseQuantity(
      identifier: type.identifier, name: type.spacedName, unit: channel.series.unit.symbol,
      shownUnit: channel.series.unit.symbol)
    let response = channel.event.map { LockedResponse(in: channel.track, onset: $0.onset, settings) }
    self.init(
      TrialRowHead(channel, at: place), response, response == nil ? channel.onsetIsMissing : response?.reason, .none)
  }
}

extension QuantityType {
  /// The channel's name in words: `skin conductance`.
  package var spacedName: String {
    channelName.reduce(into: "") { text, letter in
      text += letter.isUppercase ? " \(letter.lowercased())" : String(letter)
    }
  }
}

extension TrialRowHead {
  /// Whose samples a recording of another quantity holds.
  fileprivate init(_ channel: ChannelRecording, at place: TrialPlace) {
    self.init(
      place: place, trial: channel.trial, sensor: channel.series.sensor, recorder: channel.series.recorder)
  }
}

/// The error for an analysis that has nothing to measure of a recording.
package struct NothingToMeasure: Error, Hashable, CustomStringConvertible {
  /// What is missing, and what there is.
  package let description: String
}

extension TrialAnalysis {
  /// Throws ``NothingToMeasure`` if no measure of hearts was asked for.
  package func requireMeasures() throws(NothingToMeasure) {
    guard settings.measures.isEmpty else { return }
    throw NothingToMeasure(
      description: "\(settings.samplesMeasures.map(\.rawValue).joined(separator: ", ")) of heart data is not computed: "
        + "choose a recorder of another quantity with --recorder, or measures of hearts with --measure")
  }

  /// Throws ``NothingToMeasure`` if nothing was asked for that is computed of samples of other quantities.
  package func requireMeasures(of channel: ChannelRecording) throws(NothingToMeasure) {
    let name = channel.series.type.channelName
    guard settings.samplesMeasures.isEmpty else { return }
    throw NothingToMeasure(
      description:
        "\(settings.measures.map(\.rawValue).joined(separator: ", ")) of \(name) is not computed; the measures "
        + "are \(Measure.ofSamples.map(\.rawValue).joined(separator: ", "))")
  }
}
