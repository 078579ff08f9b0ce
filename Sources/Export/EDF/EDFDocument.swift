import Analysis
import Basics
import Bundles
import Quantities
import Recordings
import Study

extension DocumentForm {
  /// Waveforms for viewers and toolboxes of signals.
  static let edf = DocumentForm(
    "edf", "waveforms as EDF+ files, with steps, onset and offset as annotations", EDFDocument.files)
}

/// A waveform of a trial as an EDF+ file: a signal per channel, and what happened as annotations.
///
/// The file is continuous (EDF+C). Its times are UTC, and values are in the sensor's unit. Frames that are missing have
/// the digital value -32768, which no value has otherwise, and each gap is an annotation.
enum EDFDocument {
  /// A file for each waveform: `….edf` for one, `…-ecg.edf` with the recorder's name for several.
  ///
  /// - Throws: `RecordingError` for a waveform that cannot be read.
  static func files(of trial: ExportedTrial) throws(RecordingError) -> DocumentFiles {
    let waveforms = WaveformRecording.all(of: trial.bundle).filter { $0.frames > 0 && !$0.channels.isEmpty }
    var files = DocumentFiles()
    var labels = DistinctLabels()
    for waveform in waveforms {
      let name = waveforms.count > 1 ? "-\(labels.label(waveform.recorder))" : ""
      do throws(EDFProblem) {
        guard let bytes = try file(waveform, of: trial) else { continue }
        files.add("\(name).edf", bytes)
      } catch {
        switch error {
        case .recording(let error): throw error
        case .range, .rate:
          files.problems.append(
            "“\(waveform.recorder.visible)” of “\(trial.identifier)” is not in the export: \(error)")
        }
      }
    }
    return files
  }

  private static func file(_ waveform: WaveformRecording, of trial: ExportedTrial) throws(EDFProblem) -> [UInt8]? {
    guard let rate = waveform.rate else { return nil }
    var grid = EDFGrid(rate: rate, channels: waveform.channels.count)
    do throws(RecordingError) {
      try waveform.read { time, values in grid.take(time, values.map { $0 / waveform.scale }) }
    } catch {
      throw .recording(error)
    }
    guard let first = grid.start else { return nil }
    guard let rhythm = EDFRhythm(rate: grid.rate, channels: waveform.channels.count) else { throw .rate(grid.rate) }
    let begin = trial.start.advanced(by: Duration(seconds: first))
    // A file begins with a whole second; its first record tells the rest.
    let microsecond = ((begin.microseconds % 1_000_000) + 1_000_000) % 1_000_000
    let fraction = Double(microsecond) / 1e6
    let origin = first - fraction
    let unit = waveform.recording.waveform?.unit ?? waveform.unit.symbol
    let label = SignalChannel.label(of: waveform.type)
    var signals: [EDFSignal] = []
    for (index, values) in grid.columns.enumerated() {
      let name = grid.columns.count == 1 ? label : "\(label) \(waveform.channels[index])"
      signals.append(try EDFSignal(label: name, unit: unit, values: values))
    }
    let events = events(of: trial) + grid.gaps.map { (time: $0.time, duration: $0.duration, text: "gap") }
    return EDFFile(
      patient: trial.participant, start: WallTime(microseconds: begin.microseconds - microsecond),
      isSimulated: trial.record.simulation.isSimulated, isDated: !trial.pseudonymisation.shiftsDates,
      fraction: fraction,
      rhythm: rhythm, signals: signals,
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

/// Why a waveform cannot be an EDF file.
enum EDFProblem: Error, CustomStringConvertible {
  case recording(RecordingError)
  case rate(Double)
  case range(label: String)

  var description: String {
    switch self {
    case .recording(let error): "\(error)"
    case .rate(let rate): "\(rate.brief) frames per second are no rate that EDF can hold"
    case .range(let label):
      "EDF has eight characters for a limit, too few for the values of “\(label.visible)”; export it as a table"
    }
  }
}

/// The frames of a waveform on an even grid; not a number where one is missing.
private struct EDFGrid {
  private(set) var columns: [[Double]]
  private(set) var gaps: [(time: Double, duration: Double)] = []
  private var grid: FrameGrid
  private var last = 0.0
  private let step: Double

  var start: Double? { grid.start }
  var rate: Double { grid.rate }

  init(rate: Double, channels: Int) {
    grid = FrameGrid(rate: rate)
    step = 1 / rate
    columns = Array(repeating: [], count: channels)
  }

  mutating func take(_ time: Double, _ values: [Double]) {
    guard values.count == columns.count else { return }
    let missing = grid.take(time)
    if missing > 0 { gaps.append((last + step, time - last - step)) }
    last = time
    for (index, value) in values.enumerated() {
      columns[index] += repeatElement(.nan, count: missing)
      columns[index].append(value)
    }
  }
}
