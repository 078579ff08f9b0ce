import Basics
import Bundles
import Quantities
import Study
import Synchronization

/// Where the waveforms of a trial are written: a file for each that a recorder records.
final class TrialWaveforms: Sendable {
  /// A waveform of a sensor.
  private struct Key: Hashable, Sendable {
    let sensor: String
    let type: QuantityType
  }

  private struct Track: Sendable {
    let file: String
    let sink: any WaveformSink
    /// What the first block was; `nil` before it.
    var format: WaveformFormat?
    /// How many frames came in another form than the first, and were left out.
    var others = 0
  }

  private struct State: Sendable {
    var tracks: [Key: Track] = [:]
    /// The waveforms that no recorder records, which were told.
    var unrecorded: Set<Key> = []
  }

  private let state: Mutex<State>

  init() { state = Mutex(State()) }

  /// Makes the files that the recorders of a trial need.
  ///
  /// - Parameters:
  ///   - opening: the first record of the trial's journal.
  ///   - open: makes the file of that name.
  /// - Throws: what `open` throws.
  init(_ opening: TrialOpening, open: (_ file: String) throws -> any WaveformSink) throws {
    var tracks: [Key: Track] = [:]
    for recorder in opening.recorders {
      let key = Key(sensor: recorder.sensor.name, type: recorder.configuration.quantityType)
      guard tracks[key] == nil, let file = opening.waveformFile(of: recorder) else { continue }
      tracks[key] = Track(file: file, sink: try open(file))
    }
    state = Mutex(State(tracks: tracks))
  }

  /// Takes frames of a sensor, without waiting for the disk.
  ///
  /// - Returns: what is odd about the sensor's waveform, the first time; worded as a predicate.
  func take(_ frames: WaveformFrames, from sensor: String, _ log: TrialLog) -> String? {
    let key = Key(sensor: sensor, type: frames.format.type)
    return state.withLock { state in
      guard var track = state.tracks[key] else {
        guard state.unrecorded.insert(key).inserted else { return nil }
        return "sends \(key.type.channelName), which no recorder records"
      }
      defer { state.tracks[key] = track }
      if track.format == nil {
        track.format = frames.format
        log.append(.waveformOpened(WaveformHead(file: track.file, sensor: sensor, frames.format)))
      }
      guard track.format == frames.format else {
        track.others += frames.count
        guard track.others == frames.count else { return nil }
        return "changed its \(key.type.channelName) from \(track.format?.text ?? "") to \(frames.format.text); "
          + "frames of another form than the first are left out"
      }
      track.sink.append(
        WaveformBlock(
          time: log.time(of: frames.happened), arrived: log.time(of: frames.arrived),
          channels: frames.format.channels.count, values: frames.values))
      return nil
    }
  }

  /// How many frames of each sensor were not written: there was no room for them, or they were in another form.
  var dropped: [String: Int] {
    state.withLock { state in
      state.tracks.reduce(into: [:]) { dropped, track in
        let count = track.value.sink.droppedFrames + track.value.others
        if count > 0 { dropped[track.key.sensor, default: 0] += count }
      }
    }
  }
}

extension WaveformHead {
  /// The head of a waveform as a sensor delivers it.
  fileprivate init(file: String, sensor: String, _ format: WaveformFormat) {
    self.init(
      file: file, sensor: sensor, quantityType: format.type.identifier, unit: format.unit.symbol, rate: format.rate,
      channels: format.channels)
  }
}

extension WaveformFormat {
  /// The format in a few words: `2 channels at 250 Hz in mV`.
  fileprivate var text: String { "\(channels.count.counted("channel")) at \(rate.brief) Hz in \(unit)" }
}
