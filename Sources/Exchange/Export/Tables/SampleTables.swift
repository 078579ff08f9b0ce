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
      ExportField("interval_ms", .number, "the interval that the beat ends, as it was recorded"),
      ExportField("rate_per_min", .number, "60,000 divided by the interval"),
      ExportField("gap", .boolean, "whether beats are missing before the interval"),
      ExportField(
        "artefact", .string,
        "the kind of artefact that Lipponen and Tarvainen's method finds: ectopic, missed, extra or longOrShort"),
    ]

  /// The rows of a trial.
  ///
  /// - Parameters:
  ///   - trial: the trial.
  ///   - head: the cells that all its rows begin with.
  ///   - rows: what they are appended to.
  /// - Returns: the number of rows.
  static func append(_ trial: ExportedTrial, head: [UInt8], to rows: inout [UInt8]) -> Int {
    let comma = UInt8(ascii: ",")
    var count = 0
    for recording in trial.hearts {
      guard let beats = recording.beats, beats.count > 0 else { continue }
      var kinds = [Artefact.Kind?](repeating: nil, count: beats.count)
      for artefact in ArtefactCorrection.lipponenTarvainen.correct(beats).artefacts where kinds[artefact.index] == nil {
        kinds[artefact.index] = artefact.kind
      }
      var isBreak = [Bool](repeating: false, count: beats.count)
      for index in beats.breaks { isBreak[index] = true }
      var own = head
      own.append(cell: trial.sensor(recording.sensor), end: comma)
      var steps = StepFinder(trial)
      for index in beats.intervals.indices {
        let (time, interval) = (beats.ends[index], beats.intervals[index])
        rows += own
        rows += steps.cell(at: time)
        rows.append(cell: time, decimals: 6, end: comma)
        rows.append(cell: steps.sinceOnset(time), decimals: 6, end: comma)
        rows.append(cell: interval, decimals: 4, end: comma)
        rows.append(cell: 60_000 / interval, decimals: 4, end: comma)
        rows += isBreak[index] ? "true,".utf8 : "false,".utf8
        if let kind = kinds[index] { rows += kind.rawValue.utf8 }
        rows.append(UInt8(ascii: "\n"))
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
      ExportField("unit", .string, "the unit of the value"),
      ExportField("step", .string, "the step during which the sample was taken"),
      ExportField("time_s", .number, "the time of the sample, in seconds since the trial's zero"),
      ExportField("onsetTime_s", .number, "the time of the sample, in seconds since the onset of the stimulus"),
      ExportField("value", .number, "the value in the unit"),
    ]

  /// The rows of a trial; see ``BeatsTable``.
  static func append(_ trial: ExportedTrial, head: [UInt8], to rows: inout [UInt8]) -> Int {
    var count = 0
    for recording in trial.hearts {
      let rates = recording.rates
      count += append(
        trial, head, recording.sensor, .heartRate, .countPerMinute, rates.times, rates.values, to: &rows)
    }
    for channel in trial.channels {
      let series = channel.series
      count += append(
        trial, head, series.sensor, series.type, series.unit, series.times, series.values, to: &rows)
    }
    return count
  }

  private static func append(
    _ trial: ExportedTrial, _ head: [UInt8], _ sensor: String?, _ type: QuantityType, _ unit: Unit,
    _ times: [Double], _ values: [Double], to rows: inout [UInt8]
  ) -> Int {
    let comma = UInt8(ascii: ",")
    var own = head
    own.append(cell: trial.sensor(sensor), end: comma)
    own.append(cell: type.identifier, end: comma)
    own.append(cell: unit.symbol, end: comma)
    var steps = StepFinder(trial)
    for (time, value) in zip(times, values) {
      rows += own
      rows += steps.cell(at: time)
      rows.append(cell: time, decimals: 6, end: comma)
      rows.append(cell: steps.sinceOnset(time), decimals: 6, end: comma)
      rows.append(cell: value, decimals: 9, end: UInt8(ascii: "\n"))
    }
    return times.count
  }
}

/// Finds the steps of ascending times; consecutive times are mostly of one step.
private struct StepFinder {
  private let trial: ExportedTrial
  private let onset: Double?
  private var known: (times: Range<Double>, cell: [UInt8])?

  init(_ trial: ExportedTrial) {
    self.trial = trial
    onset = trial.facts.event()?.onset
  }

  func sinceOnset(_ time: Double) -> Double? { onset.map { time - $0 } }

  /// The cell of the step at a time, with its comma.
  mutating func cell(at time: Double) -> [UInt8] {
    if let known, known.times.contains(time) { return known.cell }
    let bounds = trial.facts.steps.flatMap { [$0.shown, $0.left ?? .infinity] }
    let from = bounds.filter { $0 <= time }.max() ?? -.infinity
    let to = bounds.filter { $0 > time }.min() ?? .infinity
    var cell: [UInt8] = []
    cell.append(cell: trial.step(at: time), end: UInt8(ascii: ","))
    known = from < to ? (from..<to, cell) : nil
    return cell
  }
}
