import Quantities

/// The heart data of one recorder or file: intervals between beats, heart rates, or both, on one time axis.
///
/// Times are in seconds. In a trial they count from the trial's zero, as the times of its sound do; in another file
/// they count from the file's beginning.
package struct HeartRecording: Sendable {
  /// The path as given by the caller.
  package var path: String

  /// The recorder's identifier; `nil` for a file from outside a trial.
  package var recorder: String?

  /// The sensor's name; `nil` if the file does not contain it.
  package var sensor: String?

  /// The intervals between beats; `nil` if none were recorded.
  package var beats: IntervalSeries?

  /// The sensor's own heart rates; empty if none were recorded.
  package var rates: HeartRates

  /// The caveats on the recording.
  package var caveats: [RecordingCaveat]

  /// How its beats were found in a waveform; `nil` for those that were recorded.
  package var detection: BeatDetection?

  /// Whether the file has times, beside which wrong intervals would be noticed.
  package var hasTimes = true

  /// Whether the header of its file says that the data are simulated.
  package var isInSimulatedFile = false

  /// Whether it is of a simulated sensor, by the sensor's name or the header of its file.
  package var isSimulated: Bool { isInSimulatedFile || sensor?.namesSimulation ?? false }

  /// The names of a table's ignored columns.
  package var unreadColumns: [String] = []

  /// Creates a recording.
  package init(
    path: String, recorder: String? = nil, sensor: String? = nil, beats: IntervalSeries? = nil,
    rates: HeartRates = HeartRates(), caveats: [RecordingCaveat] = []
  ) {
    self.path = path
    self.recorder = recorder
    self.sensor = sensor
    self.beats = beats
    self.rates = rates
    self.caveats = caveats
    if let tooLong = beats?.tooLong, tooLong > 0 { self.caveats.append(.intervalsTooLong(count: tooLong)) }
  }

  /// Creates a recording without samples.
  package static func nothing(_ path: String, caveats: [RecordingCaveat] = []) -> HeartRecording {
    HeartRecording(path: path, caveats: [.noSamples] + caveats)
  }

  /// Whether it has no samples.
  package var isEmpty: Bool { (beats?.count ?? 0) == 0 && rates.values.isEmpty }

  /// How the items of a heart file are grouped into recordings.
  package enum Grouping: Hashable, Sendable {
    /// One recording for each recorder, with that recorder's items.
    case recorder
    /// One recording for each sensor, with the items of all its recorders, each sample once.
    case sensor
  }
}
