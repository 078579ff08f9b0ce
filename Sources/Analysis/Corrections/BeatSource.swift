package import Basics
import Bundles
import Recordings
import Signals

/// Beats of a bundle that can be looked at and corrected: those of a sensor, or those that are found in a waveform.
package struct BeatSource: Hashable, Sendable {
  package let sensor: String
  /// The recorder of the waveform; `nil` for the beats of a sensor.
  package let recorder: String?
  /// The channel of the waveform; `nil` for the beats of a sensor.
  package let channel: String?

  package init(sensor: String, recorder: String?, channel: String?) {
    (self.sensor, self.recorder, self.channel) = (sensor, recorder, channel)
  }

  /// The sources of a bundle, those of sensors first.
  ///
  /// - Parameter path: the bundle's folder.
  /// - Returns: the sources; none where no heart was recorded.
  /// - Throws: read errors.
  package static func all(ofBundle path: String) throws -> [BeatSource] {
    let sensors = try Recording.read(path: path, ReadingOptions(corrections: .none))
      .filter { !$0.heart.recorders.isEmpty && !$0.isEmpty }.compactMap(\.heart.sensor)
    let waveforms = try WaveformRecording.all(path: path).filter { waveform in
      guard let kind = DetectedBeats.kind(of: waveform.type), let rate = waveform.rate else { return false }
      return rate >= kind.minRate
    }
    return sensors.map { BeatSource(sensor: $0, recorder: nil, channel: nil) }
      + waveforms.flatMap { waveform in
        waveform.channels.map { BeatSource(sensor: waveform.sensor, recorder: waveform.recorder, channel: $0) }
      }
  }

  /// The source for programs.
  package var json: JSONValue {
    ["sensor": .string(sensor), "recorder": .text(recorder), "channel": .text(channel)]
  }
}
