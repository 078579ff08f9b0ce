import Basics
package import Bundles
package import Quantities
package import Recordings
import Study

/// A waveform that one recorder recorded, whose frames stay in the bundle until they are asked for.
package struct WaveformRecording: RecordingInTrial {
  /// The recorder's identifier.
  package var recorder: String { recording.recorder.identifier }
  /// The sensor's name.
  package var sensor: String { recording.recorder.sensor.name }
  package var type: QuantityType { recording.recorder.configuration.quantityType }
  /// The unit of the values.
  package var unit: Unit { recording.recorder.configuration.unit }
  /// The nominal number of frames per second; `nil` if nothing was recorded.
  package var rate: Double? { recording.recorder.nominalRate }
  /// The number of frames.
  package var frames: Int { recording.samples }
  /// What the bundle's record says of it.
  package let recording: TrialRecord.Recording
  var path: String { bundle.path }

  private let bundle: Bundle
  /// Whether the file is compared with the manifest before it is read.
  private let isCompared: Bool
  /// Converts the sensor's values to the recorder's unit.
  package let scale: Double
  /// The names of the channels, in the order of a frame's values.
  package let channels: [String]

  /// A recording of a heart in the same trial: its windows and events are the waveform's too.
  package var frame: Recording

  /// The waveforms of a bundle, in the order of its recorders; sound, whose file audio programs read, is none of them.
  ///
  /// - Parameters:
  ///   - bundle: the bundle.
  ///   - isCompared: whether a file is compared with the manifest before it is read; a caller that checks all files need
  ///     not.
  /// - Returns: the waveforms; nothing of them is read yet.
  package static func all(of bundle: Bundle, isCompared: Bool = true) -> [WaveformRecording] {
    let trial = TrialFacts(bundle.record)
    return bundle.record.recordings.filter { $0.isWaveform && !$0.isSound }.map {
      WaveformRecording($0, of: bundle, trial, isCompared: isCompared)
    }
  }

  /// The waveforms of a bundle's folder; none for what is no bundle.
  ///
  /// - Throws: `RecordingError` for a bundle that cannot be read.
  package static func all(path: String) throws(RecordingError) -> [WaveformRecording] {
    guard Folder.isFolder(path) else { return [] }
    do throws(BundleError) {
      return all(of: try Bundle(path))
    } catch {
      throw .bundle("\(error)")
    }
  }

  private init(_ recording: TrialRecord.Recording, of bundle: Bundle, _ trial: TrialFacts, isCompared: Bool) {
    (self.recording, self.bundle, self.isCompared) = (recording, bundle, isCompared)
    let configuration = recording.recorder.configuration
    channels = recording.waveform?.channels ?? []
    let unit = (recording.waveform?.unit).flatMap { try? Unit($0) } ?? configuration.unit
    scale = unit.isCompatible(with: configuration.unit) ? unit.convert(1, to: configuration.unit) : 1
    frame = Recording(
      path: bundle.path, recorder: recording.recorder.identifier, sensor: recording.recorder.sensor.name, trial: trial)
    if let first = recording.firstSample?.seconds, let last = recording.lastSample?.seconds, first <= last {
      frame.channelExtent = first...last
    }
  }

  /// Reads the frames of its segments, piece by piece.
  ///
  /// - Parameters:
  ///   - window: the times that are wanted, in seconds since the trial's zero; `nil` for all.
  ///   - take: is given the time of each frame and its values, one for each channel, in the recorder's unit.
  /// - Throws: `RecordingError` where the file cannot be read, or is not the one that the manifest lists.
  package func read(
    in window: ClosedRange<Double>? = nil, _ take: (_ time: Double, _ values: [Double]) -> Void
  ) throws(RecordingError) {
    guard let rate, frames > 0 else { return }
    if isCompared, let problem = bundle.checkFiles([recording.file]).first {
      throw .unreadable(path: path, reason: "\(problem); “station verify” says what else has changed")
    }
    let settle = recording.recorder.configuration.settle
    do throws(FileError) {
      var reader = try WaveformReader(bundle.open(recording.file))
      while let block = try reader.next()?.block {
        // As the recorder cut it.
        for span in recording.segments where block.arrived <= span.to + settle {
          for frame in block.frames(from: span.from, to: span.to, rate: rate) {
            let time = block.time(of: frame, rate: rate).seconds
            guard window?.contains(time) ?? true else { continue }
            take(time, block.values[frame * block.channels..<(frame + 1) * block.channels].map { Double($0) * scale })
          }
        }
      }
    } catch {
      throw .unreadable(path: path, reason: "“\(recording.file)”: \(error)")
    }
  }

  /// The SHA-256 of its file.
  func digest() throws(RecordingError) -> String {
    do throws(FileError) {
      return try bundle.open(recording.file).digest().sha256
    } catch {
      throw .unreadable(path: path, reason: "“\(recording.file)”: \(error)")
    }
  }

  /// The course of one channel, in so few points that it can be drawn.
  package struct Trace: Sendable {
    /// The channel's name.
    package let channel: String
    /// Times in seconds and values; not a number where frames are missing.
    package internal(set) var points: [(time: Double, value: Double)] = []
  }

  /// The courses of the first channels.
  ///
  /// Of more frames than `most`, the smallest and the largest value of equally many frames remain, in their order.
  ///
  /// - Parameters:
  ///   - window: the times that are wanted; `nil` for all.
  ///   - count: the number of channels at most.
  ///   - most: the number of points of a channel at most.
  /// - Returns: a trace of each of those channels.
  /// - Throws: `RecordingError` where the file cannot be read.
  package func traces(
    in window: ClosedRange<Double>? = nil, channels count: Int = 4, most: Int = 4000
  ) throws(RecordingError) -> [Trace] {
    guard let rate, let extent else { return [] }
    let bounds = window?.clamped(to: extent) ?? extent
    let expected = min((bounds.upperBound - bounds.lowerBound) * rate, Double(frames))
    // Each group gives two points.
    let size = expected <= Double(most) ? 1 : Int((2 * expected / Double(most)).rounded(.up))
    var groups = channels.prefix(count).map { TraceGroups(Trace(channel: $0), size: size, longest: max(0.1, 2 / rate)) }
    try read(in: window) { time, values in
      for index in groups.indices where index < values.count { groups[index].take(time, values[index]) }
    }
    return groups.map { $0.finished }
  }
}

/// Thins out the frames of a channel: of each group the smallest and the largest value remain.
private struct TraceGroups {
  private var trace: WaveformRecording.Trace
  private let size: Int
  private let longest: Double
  private var count = 0
  private var least = (time: 0.0, value: 0.0)
  private var most = (time: 0.0, value: 0.0)
  private var last: Double?

  init(_ trace: WaveformRecording.Trace, size: Int, longest: Double) {
    (self.trace, self.size, self.longest) = (trace, size, longest)
  }

  mutating func take(_ time: Double, _ value: Double) {
    if let last, time - last > longest {
      flush()
      trace.points.append(((last + time) / 2, .nan))
    }
    last = time
    guard value.isFinite else { return }
    if count == 0 || value < least.value { least = (time, value) }
    if count == 0 || value > most.value { most = (time, value) }
    count += 1
    if count == size { flush() }
  }

  private mutating func flush() {
    guard count > 0 else { return }
    count = 0
    trace.points.append(least.time <= most.time ? least : most)
    if least.time != most.time { trace.points.append(least.time <= most.time ? most : least) }
  }

  var finished: WaveformRecording.Trace {
    var copy = self
    copy.flush()
    return copy.trace
  }
}
