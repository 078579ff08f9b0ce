import Basics
package import Bundles
import Quantities
package import Recordings
import Study

/// What one recorder holds of another quantity than the heart's, with the trial that it belongs to.
package struct ChannelRecording: RecordingInTrial {
  package let series: ChannelSeries
  /// The nominal number of samples per second; `nil` if there is none.
  package let nominalRate: Double?
  /// The values over time, each lasting from the sample before.
  package let track: HeartRateTrack

  /// A recording of a heart in the same trial: its windows and events are the channel's too.
  package var frame: Recording

  /// A recording of a trial, or of none.
  init(_ series: ChannelSeries, nominalRate: Double? = nil, trial: TrialFacts? = nil) {
    self.series = series
    self.nominalRate = nominalRate
    track = HeartRateTrack(values: series.values, times: series.times)
    frame = Recording(path: series.path, recorder: series.recorder, sensor: series.sensor, trial: trial)
    if let first = track.spans.first, let last = track.spans.last { frame.channelExtent = first.start...last.end }
  }

  /// The recordings of a bundle's other quantities, in the order of its recorders; none for what is no bundle.
  ///
  /// - Parameters:
  ///   - path: the bundle's folder.
  ///   - grouping: what samples are put together by.
  /// - Returns: the recordings.
  /// - Throws: `RecordingError` for a file that cannot be read, or is not the one that the manifest lists.
  package static func read(
    path: String, by grouping: HeartRecording.Grouping = .sensor
  ) throws(RecordingError) -> [ChannelRecording] {
    guard Folder.isFolder(path) else { return [] }
    let bundle: Bundle
    do throws(BundleError) {
      bundle = try Bundle(path)
    } catch {
      throw .bundle("\(error)")
    }
    return try read(bundle, by: grouping)
  }

  /// The recordings of a bundle's other quantities, in the order of its recorders.
  package static func read(
    _ bundle: Bundle, by grouping: HeartRecording.Grouping = .sensor
  ) throws(RecordingError) -> [ChannelRecording] {
    let trial = TrialFacts(bundle.record)
    var all: [(series: ChannelSeries, rate: Double?)] = []
    for recording in bundle.record.recordings where !recording.isOfHeartbeats && !recording.isWaveform {
      let recorder = recording.recorder
      let file = recording.samplesFile
      var series = ChannelSeries(
        path: bundle.path, recorder: recorder.identifier, sensor: recorder.sensor.name,
        type: recorder.configuration.quantityType, unit: recorder.configuration.unit)
      var digest = SHA256()
      try series.read(bundle.path(of: file)) { digest.update($0) }
      if let listed = bundle.digest(of: file), listed != digest.digest().description {
        throw .unreadable(
          path: bundle.path,
          reason: "“\(file)” has changed since the trial was finalised: its SHA-256 is not the one in "
            + "manifest-sha256.txt; “station verify” says what else has")
      }
      let same = all.firstIndex {
        grouping == .sensor && $0.series.sensor == series.sensor && $0.series.type == series.type
      }
      if let same { all[same].series.add(series) } else { all.append((series, recorder.nominalRate)) }
    }
    return all.map { ChannelRecording($0.series, nominalRate: $0.rate, trial: trial) }
  }
}
