import Analysis
import Basics
import Bundles
import Quantities
import Recordings
import Study

/// A waveform of a trial as an EDF+ file: a signal per channel, and what happened as annotations.
///
/// The file is continuous (EDF+C). Its times are UTC, and values are in the sensor's unit. Frames that are missing have
/// the digital value -32768, which no value has otherwise, and each gap is an annotation.
enum EDFDocument {
  /// A file for each waveform: `….edf` for one, `…-ecg.edf` with the recorder's name for several.
  ///
  /// - Throws: `RecordingError` for a waveform that cannot be read.
  static func files(of trial: ExportedTrial) throws(RecordingError) -> [(suffix: String, bytes: [UInt8])] {
    let waveforms = WaveformRecording.all(of: trial.bundle).filter { $0.frames > 0 && !$0.channels.isEmpty }
    var files: [(suffix: String, bytes: [UInt8])] = []
    for waveform in waveforms {
      let name = waveforms.count > 1 ? "-\(BIDSLabels.stem(of: waveform.recorder))" : ""
      if let bytes = try file(waveform, of: trial) { files.append(("\(name).edf", bytes)) }
    }
    return files
  }

  private static func file(_ waveform: WaveformRecording, of trial: ExportedTrial) throws(RecordingError) -> [UInt8]? {
    guard let rate = waveform.rate, let rhythm = EDFRhythm(rate: rate, channels: waveform.channels.count) else {
      return nil
    }
    var grid = EDFGrid(rate: rate, channels: waveform.channels.count)
    try waveform.read { time, values in grid.take(time, values.map { $0 / waveform.scale }) }
    guard let first = grid.start else { return nil }
    let begin = trial.start.advanced(by: Duration(seconds: first))
    // A file begins with a whole second; its first record tells the rest.
    let microsecond = ((begin.microseconds % 1_000_000) + 1_000_000) % 1_000_000
    let fraction = Double(microsecond) / 1e6
    let origin = first - fraction
    let unit = waveform.recording.waveform?.unit ?? waveform.unit.symbol
    let label = waveform.type.channelName
    let signals = grid.columns.enumerated().map { index, values in
      EDFSignal(
        label: grid.columns.count == 1 ? label : "\(label) \(waveform.channels[index])", unit: unit, values: values)
    }
    let events = events(of: trial) + grid.gaps.map { (time: $0.time, duration: $0.duration, text: "gap") }
    return EDFFile(
      patient: trial.participant, start: WallTime(microseconds: begin.microseconds - microsecond),
      isDated: !trial.disguise.shiftsDates, fraction: fraction, rhythm: rhythm, signals: signals,
      annotations: events.map { EDFAnnotation(onset: $0.time - origin, duration: $0.duration, text: $0.text) }
    ).bytes
  }

  /// Steps, onsets and offsets, and the codes of caveats, by the trial's time in seconds.
  private static func events(of trial: ExportedTrial) -> [(time: Double, duration: Double?, text: String)] {
    let record = trial.record
    var events: [(time: Double, duration: Double?, text: String)] = record.caveats.compactMap {
      $0.caveat.json[Caveat.jsonTag]?.string.map { (0, nil, "caveat \($0)") }
    }
    for step in record.steps {
      events.append(
        (step.shown.seconds, step.left.map { ($0 - step.shown).seconds }, "step \(step.identifier)"))
    }
    let clip = record.clip.map { " \($0.clip.name)" } ?? ""
    for segment in record.playback?.segments ?? [] {
      if let onset = segment.onset { events.append((onset.time.seconds, nil, "onset\(clip)")) }
      if let offset = segment.offset { events.append((offset.time.seconds, nil, "offset\(clip)")) }
    }
    // Swift's sort is stable.
    return events.sorted { $0.time < $1.time }
  }
}

/// The frames of a waveform on a grid of its nominal rate; not a number where one is missing.
private struct EDFGrid {
  private(set) var columns: [[Double]]
  private(set) var start: Double?
  private(set) var gaps: [(time: Double, duration: Double)] = []
  private let rate: Double

  init(rate: Double, channels: Int) {
    self.rate = rate
    columns = Array(repeating: [], count: channels)
  }

  mutating func take(_ time: Double, _ values: [Double]) {
    let first = start ?? time
    start = first
    let place = Int(((time - first) * rate).rounded())
    let next = columns[0].count
    // Two blocks may meet within half a frame.
    guard place >= next, values.count == columns.count else { return }
    if place > next { gaps.append((first + Double(next) / rate, Double(place - next) / rate)) }
    for (index, value) in values.enumerated() {
      columns[index] += repeatElement(.nan, count: place - next)
      columns[index].append(value)
    }
  }
}
