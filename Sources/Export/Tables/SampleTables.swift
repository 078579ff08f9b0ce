import Analysis
import Basics
import Quantities
import Recordings

/// The table with one row per beat.
enum BeatsTable {
  static let fields: [ExportField] =
    TrialsTable.head.map(\.field) + [
      ExportField("sensor", .string, "the sensor's name"),
      ExportField("step", .string, "the step during which the beat came"),
      ExportField("time_s", .number, "the time of the beat, in seconds since the trial's zero"),
      ExportField("onsetTime_s", .number, "the time of the beat, in seconds since the onset of the stimulus"),
      ExportField("interval_ms", .number, "the interval that the beat ends, as it was recorded or corrected"),
      ExportField("rate_per_min", .number, "60,000 divided by the interval"),
      ExportField("gap", .boolean, "whether beats are missing before the interval"),
      ExportField("corrected", .boolean, "whether a person's correction made the interval"),
      ExportField(
        "artefact", .string,
        "the kind of artefact that Lipponen and Tarvainen's method finds: ectopic, missed, extra or longOrShort"),
    ]

  /// The rows of a trial.
  ///
  /// - Parameters:
  ///   - trial: the trial.
  ///   - writer: writes their cells.
  ///   - rows: what they are appended to.
  /// - Returns: the number of rows.
  static func append(_ trial: ExportedTrial, _ writer: RowWriter, to rows: inout [UInt8]) -> Int {
    var count = 0
    let first = TrialsTable.head.count
    for recording in trial.hearts {
      guard let beats = recording.beats, beats.count > 0 else { continue }
      var kinds = [Artefact.Kind?](repeating: nil, count: beats.count)
      for artefact in ArtefactCorrection.lipponenTarvainen.correct(beats).artefacts where kinds[artefact.index] == nil {
        kinds[artefact.index] = artefact.kind
      }
      var isBreak = [Bool](repeating: false, count: beats.count)
      for index in beats.breaks { isBreak[index] = true }
      let own = TrialsTable.head(of: trial, [recording.sensor.flatMap(trial.sensor)], writer)
      var steps = StepFinder(trial, writer, column: first + 1)
      for index in beats.intervals.indices {
        let (time, interval) = (beats.ends[index], beats.intervals[index])
        rows += own
        rows += steps.cell(at: time)
        writer.number(time, decimals: 6, at: first + 2, to: &rows)
        writer.number(steps.sinceOnset(time), decimals: 6, at: first + 3, to: &rows)
        writer.number(interval, decimals: 4, at: first + 4, to: &rows)
        writer.number(60_000 / interval, decimals: 4, at: first + 5, to: &rows)
        writer.truth(isBreak[index], at: first + 6, to: &rows)
        writer.truth(beats.settled.contains(index), at: first + 7, to: &rows)
        writer.text(kinds[index]?.rawValue, at: first + 8, to: &rows)
        writer.end(&rows)
      }
      count += beats.count
    }
    return count
  }
}

/// The table with one row per sample of a channel; intervals between beats are in the table of beats.
enum SamplesTable {
  static let fields: [ExportField] =
    TrialsTable.head.map(\.field) + [
      ExportField("sensor", .string, "the sensor's name"),
      ExportField("quantity", .string, "what was measured, by the station's name of the quantity"),
      ExportField("channel", .string, "the channel of a waveform; empty for other samples"),
      ExportField("unit", .string, "the unit of the value"),
      ExportField("step", .string, "the step during which the sample was taken"),
      ExportField("time_s", .number, "the time of the sample, in seconds since the trial's zero"),
      ExportField("onsetTime_s", .number, "the time of the sample, in seconds since the onset of the stimulus"),
      ExportField("value", .number, "the value in the unit"),
    ]

  /// The rows of a trial; see ``BeatsTable``.
  static func append(_ trial: ExportedTrial, _ writer: RowWriter, to rows: inout [UInt8]) -> Int {
    var count = 0
    for recording in trial.hearts {
      let rates = recording.rates
      count += append(
        trial, writer, recording.sensor, .heartRate, .countPerMinute, rates.times, rates.values, to: &rows)
    }
    for channel in trial.channels {
      let series = channel.series
      count += append(
        trial, writer, series.sensor, series.type, series.unit, series.times, series.values, to: &rows)
    }
    return count
  }

  private static func append(
    _ trial: ExportedTrial, _ writer: RowWriter, _ sensor: String?, _ type: QuantityType, _ unit: Unit,
    _ times: [Double], _ values: [Double], to rows: inout [UInt8]
  ) -> Int {
    var cells = SampleCells(trial, writer, sensor, type, unit, channels: [nil])
    for (time, value) in zip(times, values) { cells.append(time, [value], to: &rows) }
    return times.count
  }

  /// Reads the frames of a trial's waveforms as rows, one for each channel.
  ///
  /// - Parameters:
  ///   - trial: the trial; the files of its waveforms were compared with the manifest.
  ///   - writer: writes the cells.
  ///   - take: is given rows, piece by piece, and how many they are.
  /// - Throws: `RecordingError` where a file cannot be read.
  static func readWaveforms(
    _ trial: ExportedTrial, _ writer: RowWriter, _ take: (_ rows: [UInt8], _ count: Int) -> Void
  ) throws(RecordingError) {
    for waveform in WaveformRecording.all(of: trial.bundle, isCompared: false) {
      var cells = SampleCells(
        trial, writer, waveform.sensor, waveform.type, waveform.unit, channels: waveform.channels)
      var (rows, count): ([UInt8], Int) = ([], 0)
      func flush() {
        take(rows, count)
        rows.removeAll(keepingCapacity: true)
        count = 0
      }
      try waveform.read { time, values in
        cells.append(time, values, to: &rows)
        count += values.count
        if rows.count > 1 << 16 { flush() }
      }
      flush()
    }
  }
}

/// Writes the samples of one recording: what does not change between them is written once and copied.
private struct SampleCells {
  private let writer: RowWriter
  /// The cells that the rows of each channel begin with.
  private let heads: [[UInt8]]
  private var steps: StepFinder

  init(
    _ trial: ExportedTrial, _ writer: RowWriter, _ sensor: String?, _ type: QuantityType, _ unit: Unit,
    channels: [String?]
  ) {
    self.writer = writer
    heads = channels.map {
      TrialsTable.head(of: trial, [sensor.flatMap(trial.sensor), type.identifier, $0, unit.symbol], writer)
    }
    steps = StepFinder(trial, writer, column: TrialsTable.head.count + 4)
  }

  /// Appends a row for each channel, whose values have one time.
  mutating func append(_ time: Double, _ values: [Double], to rows: inout [UInt8]) {
    let first = TrialsTable.head.count + 5
    for (head, value) in zip(heads, values) {
      rows += head
      rows += steps.cell(at: time)
      writer.number(time, decimals: 6, at: first, to: &rows)
      writer.number(steps.sinceOnset(time), decimals: 6, at: first + 1, to: &rows)
      writer.number(value, decimals: 9, at: first + 2, to: &rows)
      writer.end(&rows)
    }
  }
}

extension TrialsTable {
  /// The cells that all rows of a recording begin with: those of the trial, and further texts.
  fileprivate static func head(of trial: ExportedTrial, _ texts: [String?], _ writer: RowWriter) -> [UInt8] {
    var cells: [UInt8] = []
    for (index, column) in head.enumerated() { writer.value(column.cell(trial), at: index, to: &cells) }
    for (index, text) in texts.enumerated() { writer.text(text, at: head.count + index, to: &cells) }
    return cells
  }
}

/// Finds the steps of ascending times; consecutive times are mostly of one step.
private struct StepFinder {
  private let trial: ExportedTrial
  private let onset: Double?
  private let writer: RowWriter
  private let column: Int
  private var known: (times: Range<Double>, cell: [UInt8])?

  init(_ trial: ExportedTrial, _ writer: RowWriter, column: Int) {
    (self.trial, self.writer, self.column) = (trial, writer, column)
    onset = trial.facts.event()?.onset
  }

  func sinceOnset(_ time: Double) -> Double? { onset.map { time - $0 } }

  mutating func cell(at time: Double) -> [UInt8] {
    if let known, known.times.contains(time) { return known.cell }
    let bounds = trial.facts.steps.flatMap { [$0.shown, $0.left ?? .infinity] }
    let from = bounds.filter { $0 <= time }.max() ?? -.infinity
    let to = bounds.filter { $0 > time }.min() ?? .infinity
    var cell: [UInt8] = []
    writer.text(trial.step(at: time), at: column, to: &cell)
    known = from < to ? (from..<to, cell) : nil
    return cell
  }
}
