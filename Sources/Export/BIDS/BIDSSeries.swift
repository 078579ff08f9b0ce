import Analysis
import Basics
import Bundles
import Quantities
import Recordings

/// Samples of a trial as BIDS has them: a regular grid, and every sample and beat as it came.
///
/// BIDS knows signals at a fixed rate only (`_physio`); what came when it came is beside it (`_physioevents`).
struct BIDSSeries: Sendable {
  let quantity: QuantityType
  private let unit: Unit
  private let rate: Double
  private let times: [Double]
  private let values: [Double]
  private let beats: IntervalSeries?
  /// Whether the values are those of the intervals, since the sensor sent none.
  private let isOfBeats: Bool

  /// A value is held for so many seconds, or for three samples of a slow channel.
  private static let maxHold = 5.0

  init(heart recording: Recording) {
    (quantity, unit, rate) = (.heartRate, .countPerMinute, 1)
    beats = recording.beats.flatMap { $0.count > 0 ? $0 : nil }
    isOfBeats = recording.rates.values.isEmpty && beats != nil
    if isOfBeats, let beats {
      (times, values) = (beats.ends, beats.intervals.map { 60_000 / $0 })
    } else {
      (times, values) = (recording.rates.times, recording.rates.values)
    }
  }

  init(channel: ChannelRecording) {
    (quantity, unit) = (channel.series.type, channel.series.unit)
    rate = channel.nominalRate.flatMap { (0.01...1000).contains($0) ? $0 : nil } ?? 1
    (times, values, beats, isOfBeats) = (channel.series.times, channel.series.values, nil, false)
  }

  private var column: String { BIDSText.column(quantity.identifier) }

  /// The unit as BIDS writes it.
  static func units(_ unit: Unit) -> String { unit == .countPerMinute ? "1/min" : unit.symbol }

  /// The grid, from the trial's zero to its end: the value before each time, held for at most some seconds.
  func grid(to end: Double) -> [UInt8] {
    let hold = max(Self.maxHold, 3 / rate)
    let count = max(1, Int((max(end, times.last ?? 0) * rate).rounded(.up)) + 1)
    var bytes: [UInt8] = []
    var next = 0
    for index in 0..<count {
      let time = Double(index) / rate
      while next < times.count, times[next] <= time { next += 1 }
      bytes.append(time, decimals: 6)
      bytes.append(UInt8(ascii: "\t"))
      if next > 0, time - times[next - 1] <= hold {
        bytes.append(values[next - 1], decimals: 6)
      } else {
        bytes += BIDSText.missing.utf8
      }
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }

  /// The description of the grid, with what is known of its times and its device.
  func gridSidecar(_ common: [String: JSONValue]) -> JSONValue {
    var members = common
    members["SamplingFrequency"] = .number(rate)
    members["StartTime"] = 0
    members["PhysioType"] = "generic"
    members["Columns"] = ["timestamp", .string(column)]
    members["timestamp"] = BIDSText.column("the time since the trial's zero", units: "s")
    members[column] = BIDSText.column(
      "\(quantity.identifier), the last value before this time, for at most \(max(Self.maxHold, 3 / rate).brief) s",
      units: Self.units(unit), more: code)
    return .object(members)
  }

  private var code: [String: JSONValue] {
    quantity == .heartRate ? ["TermURL": "https://loinc.org/8867-4"] : [:]
  }

  /// Every sample and beat, in the order of time.
  var events: [UInt8] {
    var rows: [(time: Double, type: String, value: Double, interval: Double?)] = []
    if !isOfBeats { rows = zip(times, values).map { ($0, column, $1, nil) } }
    for (time, interval) in zip(beats?.ends ?? [], beats?.intervals ?? []) {
      rows.append((time, "beat", 60_000 / interval, interval / 1000))
    }
    // Swift's sort is stable.
    rows.sort { $0.time < $1.time }
    var bytes: [UInt8] = []
    let tab = UInt8(ascii: "\t")
    for row in rows {
      bytes.append(row.time, decimals: 6)
      bytes += "\t0\t".utf8
      bytes += row.type.utf8
      bytes.append(tab)
      bytes.append(row.value, decimals: 6)
      if beats != nil {
        bytes.append(tab)
        if let interval = row.interval { bytes.append(interval, decimals: 6) } else { bytes += BIDSText.missing.utf8 }
      }
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }

  /// The description of ``events``.
  func eventsSidecar(_ common: [String: JSONValue]) -> JSONValue {
    var members = common
    var columns: [JSONValue] = ["onset", "duration", "trial_type", .string(column)]
    var levels: [String: JSONValue] = [column: .string("a value as the sensor sent it")]
    if beats != nil {
      columns.append("rr_interval")
      levels["beat"] = "a heartbeat, by the end of its interval"
      members["rr_interval"] = BIDSText.column("the interval that the beat ends", units: "s")
    }
    members["Columns"] = .array(columns)
    members["OnsetSource"] = "timestamp"
    members["Description"] = .string("Every sample of \(quantity.identifier) at the time at which it was true.")
    members["onset"] = BIDSText.column("the time since the trial's zero", units: "s")
    members["duration"] = BIDSText.column("samples and beats have no duration", units: "s")
    members["trial_type"] = BIDSText.column("what the row is of", more: ["Levels": .object(levels)])
    members[column] = BIDSText.column(
      "\(quantity.identifier); of a beat that of its interval", units: Self.units(unit), more: code)
    return .object(members)
  }

  /// Whether there is anything.
  var isEmpty: Bool { times.isEmpty && beats == nil }
}

/// A waveform of a trial as a recording of its own: its frames on an even grid.
struct BIDSWaveform {
  private let waveform: WaveformRecording
  private let rate: Double
  private let columns: [String]

  /// A waveform; `nil` where nothing was recorded.
  init?(_ waveform: WaveformRecording) {
    guard let rate = waveform.rate, waveform.frames > 0 else { return nil }
    (self.waveform, self.rate) = (waveform, rate)
    let name = BIDSText.column(waveform.type.identifier)
    let channels = waveform.channels.count
    columns = waveform.channels.enumerated().map { index, channel in
      channels == 1 ? name : "\(name)_\(index + 1)_\(BIDSText.column(channel))"
    }
  }

  /// Writes the frames, piece by piece; what is missing between frames is `n/a`.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - common: the members that all sidecars have.
  /// - Returns: the description.
  /// - Throws: `RecordingError`, `ArchiveFault` and `FileError`.
  func write(to path: String, _ common: [String: JSONValue]) throws -> JSONValue {
    var file = try StreamedFile(path)
    var gzip = try Gzip()
    var grid = FrameGrid(rate: rate)
    var held: [UInt8] = []
    var failure: FileError?
    let empty = Array((Array(repeating: BIDSText.missing, count: columns.count).joined(separator: "\t") + "\n").utf8)
    func flush() {
      guard failure == nil else { return }
      do throws(FileError) { try file.write(gzip.take(held)) } catch { failure = error }
      held.removeAll(keepingCapacity: true)
    }
    try waveform.read { time, values in
      for _ in 0..<grid.take(time) {
        held += empty
        if held.count > 1 << 16 { flush() }
      }
      for (index, value) in values.enumerated() {
        if value.isFinite { held.append(value, decimals: 9) } else { held += BIDSText.missing.utf8 }
        held.append(index < values.count - 1 ? UInt8(ascii: "\t") : UInt8(ascii: "\n"))
      }
      if held.count > 1 << 16 { flush() }
    }
    flush()
    if let failure { throw failure }
    try file.write(gzip.finish())
    _ = try file.finish()
    var members = common
    members["SamplingFrequency"] = .number(grid.rate)
    members["StartTime"] = .number(((grid.start ?? 0) * 1e9).rounded() / 1e9)
    members["PhysioType"] = "generic"
    members["Columns"] = .array(columns.map { .string($0) })
    for (column, channel) in zip(columns, waveform.channels) {
      members[column] = BIDSText.column(
        "\(waveform.type.identifier), channel \(channel.visible)", units: BIDSSeries.units(waveform.unit))
    }
    return .object(members)
  }
}
