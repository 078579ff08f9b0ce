import Quantities
import Recordings
import Signals

/// Beats that are being found in one channel of a waveform.
struct DetectedBeats {
  private var detector: BeatDetector
  private var facts: BeatDetection
  private var times: [Double] = []
  private var qualities = (sum: 0.0, count: 0)
  /// −1 for the trace of a camera, which blood darkens.
  private let sign: Double

  /// What can be found in a quantity; `nil` for one without heartbeats.
  static func kind(of type: QuantityType?) -> BeatDetector.Kind? {
    switch type {
    case .electrocardiogram: .electrocardiogram
    case .photoplethysmogram: .photoplethysmogram
    default: nil
    }
  }

  /// Begins in a channel; `nil` if it has too few samples per second.
  init?(_ kind: BeatDetector.Kind, channel: String, rate: Double) {
    guard rate >= kind.minRate else { return nil }
    detector = BeatDetector(kind, rate: rate)
    facts = BeatDetection(detector: kind.detector, channel: channel, rate: rate)
    sign = kind == .photoplethysmogram && ["red", "green", "blue"].contains(channel) ? -1 : 1
  }

  mutating func take(_ value: Double, at time: Double) {
    let output = detector.take(sign * value, at: time)
    if !output.beats.isEmpty { add(output.beats) }
    guard let report = output.report else { return }
    qualities = (qualities.sum + report.quality, qualities.count + 1)
    switch report.fault {
    case .flat: facts.faults.flat += 1
    case .saturated: facts.faults.saturated += 1
    case nil: break
    }
  }

  private mutating func add(_ beats: [BeatDetector.Beat]) {
    times += beats.map(\.time)
    facts.peaks += beats.map(\.peak)
  }

  /// The recording of the beats, compared with others of the same heart where there are some.
  ///
  /// - Parameters:
  ///   - path: where the waveform is.
  ///   - recorder: the recorder that recorded it; `nil` for a file.
  ///   - sensor: the sensor that it came from.
  ///   - others: other beats of the same heart, and what has them; `nil` where there are none.
  /// - Returns: the recording.
  mutating func recording(
    path: String, recorder: String? = nil, sensor: String, others: (beats: [Double], name: String)?
  ) -> HeartRecording {
    add(detector.finish())
    facts.unclear = detector.unclear
    facts.quality = qualities.count > 0 ? qualities.sum / Double(qualities.count) : nil
    facts.comparison = others.flatMap { BeatDetection.Comparison(of: times, with: $0.beats, called: $0.name) }
    var recording = HeartRecording(
      path: path, recorder: recorder, sensor: sensor, beats: times.count > 1 ? IntervalSeries(beats: times) : nil)
    if recording.isEmpty { recording.caveats.insert(.noSamples, at: 0) }
    recording.detection = facts
    return recording
  }
}
