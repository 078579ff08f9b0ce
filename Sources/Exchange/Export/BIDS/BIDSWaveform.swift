import Analysis
import Basics
import Bundles
import Quantities
import Recordings

/// A waveform of a trial as a recording of its own: its frames on a grid of its nominal rate.
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
  /// - Throws: `RecordingError` and `FileError`.
  func write(to path: String, _ common: [String: JSONValue]) throws -> JSONValue {
    var file = try StreamedFile(path)
    var gzip = Gzip()
    var start: Double?
    var next = 0
    var held: [UInt8] = []
    var failure: FileError?
    let empty = Array((Array(repeating: BIDSText.missing, count: columns.count).joined(separator: "\t") + "\n").utf8)
    func flush() {
      guard failure == nil else { return }
      do throws(FileError) { try file.write(gzip.take(held)) } catch { failure = error }
      held.removeAll(keepingCapacity: true)
    }
    try waveform.read { time, values in
      let first = start ?? time
      start = first
      let place = Int(((time - first) * rate).rounded())
      // Two blocks may meet within half a frame.
      guard place >= next else { return }
      while next < place {
        held += empty
        next += 1
        if held.count > 1 << 16 { flush() }
      }
      for (index, value) in values.enumerated() {
        if value.isFinite { held.append(value, decimals: 9) } else { held += BIDSText.missing.utf8 }
        held.append(index < values.count - 1 ? UInt8(ascii: "\t") : UInt8(ascii: "\n"))
      }
      next += 1
      if held.count > 1 << 16 { flush() }
    }
    flush()
    if let failure { throw failure }
    try file.write(gzip.finish())
    _ = try file.finish()
    var members = common
    members["SamplingFrequency"] = .number(rate)
    members["StartTime"] = .number(((start ?? 0) * 1e9).rounded() / 1e9)
    members["PhysioType"] = "generic"
    members["Columns"] = .array(columns.map { .string($0) })
    for (column, channel) in zip(columns, waveform.channels) {
      members[column] = BIDSText.column(
        "\(waveform.type.identifier), channel \(channel.visible)", units: BIDSSeries.units(waveform.unit))
    }
    return .object(members)
  }
}
