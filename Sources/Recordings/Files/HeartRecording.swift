/// What one recorder or file holds of a heart: intervals between beats, heart rates, or both, over one time axis.
///
/// Times are in seconds. In a trial they count from the trial's zero, so that they stand beside those of its sound; in
/// another file they count from where that file begins.
package struct HeartRecording: Sendable {
  /// Where it was read from, as it was given.
  package var path: String

  /// The recorder's identifier; `nil` for a file that is no trial's.
  package var recorder: String?

  /// The sensor's name; `nil` where the file does not say it.
  package var sensor: String?

  /// The intervals between beats; `nil` where none were recorded.
  package var beats: IntervalSeries?

  /// The sensor's own heart rates; empty where none were recorded.
  package var rates: HeartRates

  /// What a reader should know of it before trusting its numbers; sentences.
  package var remarks: [String]

  /// The columns of a table that are not read, by their names.
  package var unreadColumns: [String] = []

  /// A recording.
  package init(
    path: String, recorder: String? = nil, sensor: String? = nil, beats: IntervalSeries? = nil,
    rates: HeartRates = HeartRates(), remarks: [String] = []
  ) {
    self.path = path
    self.recorder = recorder
    self.sensor = sensor
    self.beats = beats
    self.rates = rates
    self.remarks = remarks
    if let tooLong = beats?.tooLong, tooLong > 0 {
      let words = tooLong == 1 ? "One interval is" : "\(tooLong) intervals are"
      self.remarks.append("\(words) left out: longer than an hour, which no pause of a heart is.")
    }
  }

  /// A recording without samples.
  package static func nothing(_ path: String, remarks: [String] = []) -> HeartRecording {
    HeartRecording(path: path, remarks: ["It holds no samples."] + remarks)
  }

  /// Whether there is nothing in it to measure.
  package var isEmpty: Bool { (beats?.count ?? 0) == 0 && rates.values.isEmpty }

  /// What the items of a heart file are put together by.
  package enum Grouping: Hashable, Sendable {
    /// A recording for each recorder, with what belongs to that.
    case recorder
    /// A recording for each sensor, with what all recorders cut out of its stream, each reading once.
    case sensor
  }
}
