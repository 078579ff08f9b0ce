import Analysis
import Basics
import Bundles
import Quantities
import Recordings

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
