package import Basics
import Quantities
import Recordings

/// The measures, phases and response of one recording of another quantity than the heart's.
package struct ChannelAnalysis: Sendable {
  package let recording: ChannelRecording
  /// The measures in the window.
  package let measured: ChannelMeasures
  /// The measures before, during and after the event; empty without one that has an end.
  package let phases: [ChannelMeasures]
  /// How a response is read off; `nil` if none was requested.
  package let settings: ResponseSettings?
  /// The response to the onset; `nil` if none was requested, or there is no onset.
  package let response: LockedResponse?

  package init(_ recording: ChannelRecording, _ analysis: TrialAnalysis) {
    self.recording = recording
    measured = ChannelMeasures(of: recording, in: analysis.window)
    let windows: [AnalysisWindow] = [.preStimulus, .stimulus, .postStimulus]
    phases = recording.event?.window == nil ? [] : windows.map { ChannelMeasures(of: recording, in: $0) }
    settings = analysis.response
    response = analysis.response.flatMap { settings in
      recording.event.map { LockedResponse(in: recording.track, onset: $0.onset, settings) }
    }
  }
}

/// What the samples of one window come to.
package struct ChannelMeasures: Hashable, Sendable {
  /// Where the window lies.
  package let placed: PlacedWindow
  /// The number of samples in it.
  package let count: Int
  /// The share of the window in which the value is known, from 0 to 1: each sample lasts from the one before it.
  package let coverage: Double
  /// The numbers; `nil` if less than half of the window is known.
  package let numbers: Numbers?
  /// Why there are none.
  package let missing: MissingNumber?

  /// The numbers of a window, in the unit of the recording.
  package struct Numbers: Hashable, Sendable {
    /// The arithmetic mean of the samples.
    package let mean: Double
    /// Their standard deviation, over n − 1; `nil` for a single sample.
    package let deviation: Double?
    /// The smallest, the middle and the largest value.
    package let minimum: Double, median: Double, maximum: Double
    /// The slope of the straight line of least squares, per minute; `nil` for samples at a single time.
    package let slope: Double?

    /// The numbers of some samples; `nil` of none.
    init?(_ samples: [(time: Double, value: Double)]) {
      guard let first = samples.first else { return nil }
      let sorted = samples.map(\.value).sorted()
      let count = Double(samples.count)
      // Relative to the first, so that equal values have exactly their mean.
      let mean = first.value + samples.reduce(0) { $0 + ($1.value - first.value) } / count
      let time = samples.reduce(0) { $0 + $1.time } / count
      let squares = samples.reduce(0) { $0 + ($1.value - mean) * ($1.value - mean) }
      let spread = samples.reduce(0) { $0 + ($1.time - time) * ($1.time - time) }
      let product = samples.reduce(0) { $0 + ($1.time - time) * ($1.value - mean) }
      self.mean = mean
      deviation = samples.count > 1 ? (squares / (count - 1)).squareRoot() : nil
      (minimum, maximum) = (sorted[0], sorted[sorted.count - 1])
      median = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
      slope = spread > 0 ? 60 * product / spread : nil
    }
  }

  /// Measures a window; a sample belongs to it when its time lies in it.
  package init(of recording: ChannelRecording, in window: AnalysisWindow) {
    placed = recording.place(window)
    guard let bounds = placed.bounds else {
      (count, coverage, numbers, missing) = (0, 0, nil, placed.missing ?? .nothingRecorded)
      return
    }
    let samples = zip(recording.series.times, recording.series.values).filter { bounds.contains($0.0) }
    count = samples.count
    let known = Coverage(of: recording.track, in: bounds)
    coverage = known.share
    numbers = known.suffices ? Numbers(samples.map { (time: $0, value: $1) }) : nil
    let partly = MissingNumber.partlyKnown(share: known.share, from_s: bounds.lowerBound, to_s: bounds.upperBound)
    missing = numbers != nil ? nil : samples.isEmpty ? .nothingRecorded : partly
  }
}

extension ChannelAnalysis {
  /// The analysis as JSON, in the recording's unit.
  package var json: JSONValue {
    let series = recording.series
    return [
      "path": .string(series.path), "sensor": .string(series.sensor), "recorder": .string(series.recorder),
      "quantityType": .string(series.type.identifier), "unit": .string(series.unit.symbol),
      "nominalRate_Hz": .finite(recording.nominalRate),
      "trial": recording.trial.map(RecordingAnalysis.json) ?? nil,
      "event": recording.event.map(RecordingAnalysis.json) ?? nil,
      "samples": .integer(series.times.count), "withoutContact": .integer(series.withoutContact),
      "measures": measured.json, "phases": .array(phases.map(\.json)),
      "response": settings.map { settings in response.map(json) ?? missing(settings) } ?? nil,
    ]
  }

  private func json(_ response: LockedResponse) -> JSONValue {
    [
      "onset_s": .finite(response.onset), "baseline": .finite(response.baseline),
      "baselineCoverage": .finite(response.baselineCoverage?.share), "reason": response.reason?.json ?? nil,
      "settings": json(response.settings),
      "bins": .array(
        response.bins.map { bin in
          [
            "from_s": .finite(bin.bounds.lowerBound), "to_s": .finite(bin.bounds.upperBound),
            "value": .finite(bin.value), "response": .finite(bin.response), "coverage": .finite(bin.coverage),
          ]
        }),
    ]
  }

  private func missing(_ settings: ResponseSettings) -> JSONValue {
    [
      "onset_s": nil, "baseline": nil, "baselineCoverage": nil, "reason": recording.onsetIsMissing.json,
      "settings": json(settings), "bins": [],
    ]
  }

  private func json(_ settings: ResponseSettings) -> JSONValue {
    var members = settings.json.object ?? [:]
    if settings.baseline != .percent { members["unit"] = .string(recording.series.unit.symbol) }
    return .object(members)
  }
}

extension ChannelMeasures {
  /// The window with its numbers.
  var json: JSONValue {
    [
      "window": RecordingAnalysis.json(placed), "samples": .integer(count), "coverage": .finite(coverage),
      "mean": .finite(numbers?.mean), "sd": .finite(numbers?.deviation), "min": .finite(numbers?.minimum),
      "median": .finite(numbers?.median), "max": .finite(numbers?.maximum),
      "slope_perMinute": .finite(numbers?.slope), "reason": missing?.json ?? nil,
    ]
  }
}
