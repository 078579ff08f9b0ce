/// The properties of a file that its content does not declare.
package struct ReadingOptions: Hashable, Sendable {
  /// The unit of intervals between beats; `nil` for the unit in the column's name, otherwise milliseconds.
  ///
  /// An explicit unit is accepted as long as any heart could beat at that rate.
  package var intervalUnit: TimeUnit?

  /// The unit of a table's times; `nil` for the unit in the column's name, otherwise seconds.
  ///
  /// Explicit seconds are accepted, however far apart the times are.
  package var timeUnit: TimeUnit?

  /// How many samples a second beats or intervals count that have no unit; `nil` if they do not count samples.
  package var samplingRate: Double?

  /// How the items of a heart file are grouped into recordings.
  package var grouping: HeartRecording.Grouping

  /// How beats are looked for in waveforms; `nil` to read those that were recorded.
  package var detection: Detection?

  /// How beats are looked for in waveforms.
  package struct Detection: Hashable, Sendable {
    /// The channel of a waveform, or the name of a signal in a file; `nil` for the first that can have heartbeats.
    package var channel: String?

    /// Looks in a channel.
    package init(channel: String? = nil) { self.channel = channel }
  }

  /// Creates options; the defaults declare nothing.
  package init(
    intervalUnit: TimeUnit? = nil, timeUnit: TimeUnit? = nil, samplingRate: Double? = nil,
    grouping: HeartRecording.Grouping = .sensor, detection: Detection? = nil
  ) {
    self.samplingRate = samplingRate
    self.intervalUnit = intervalUnit
    self.timeUnit = timeUnit
    self.grouping = grouping
    self.detection = detection
  }

  /// A unit of time in files.
  package typealias TimeUnit = Recordings.TimeUnit
}
