import Basics

/// What a file of a device holds of a heart.
///
/// Places, names, notes and serial numbers, which many of these files hold as well, are never read.
package struct DeviceFile: Sendable {
  /// The instant from which its times count.
  enum Start: Hashable, Sendable {
    case instant(WallTime)
    /// A local time without a time zone, `2026-11-20T10:00:00`.
    case local(String)
  }

  /// The file's format.
  let format: DeviceFormat
  /// The device's or program's name; `nil` if the file does not contain it.
  package let device: String?
  /// When time 0 was; `nil` if the file does not tell.
  let start: Start?
  /// The intervals between beats; `nil` if there are none.
  package let beats: IntervalSeries?
  package let rates: HeartRates
  /// The caveats on both.
  package internal(set) var caveats: [RecordingCaveat]
  /// The number of what the file holds besides, by its name in the format.
  let leftOut: [String: Int]

  /// The recording for analyses.
  func recording(path: String) -> HeartRecording {
    HeartRecording(path: path, sensor: device, beats: beats, rates: rates, caveats: caveats)
  }
}

/// Why a file of a device cannot be read, or not beyond a place.
struct DeviceFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The place in the file.
  enum Place: Hashable, Sendable {
    /// A line, from 1.
    case line(Int)
    /// A byte, from 0.
    case byte(Int)
    /// The whole file.
    case file
  }

  let place: Place
  /// The reason and advice, as a clause.
  let reason: String
  /// Whether the file ends early, and what came before is whole.
  var isCut = false

  /// The place, the reason and advice.
  var description: String {
    switch place {
    case .line(let line): "line \(line): \(reason)"
    case .byte(let byte): "byte \(byte): \(reason)"
    case .file: reason
    }
  }
}

/// Reads one format of ``DeviceFormat``.
protocol DeviceReader {
  /// What was read so far.
  var samples: DeviceSamples { get set }

  /// Reads the next piece.
  ///
  /// - Throws: ``DeviceFault`` beyond which nothing can be read.
  mutating func take(_ bytes: [UInt8], isLast: Bool) throws(DeviceFault)
}

/// Reads a file of a device, for import, replay and analysis alike.
package struct DeviceFileReader {
  private let format: DeviceFormat
  private var reader: any DeviceReader
  private var size = 0

  /// The longest file that is read, in bytes; a day of samples takes a hundredth of it.
  static let maxLength = 256 << 20

  /// The largest number of heart rates and intervals, which are kept in memory: eleven days at one a second.
  static let maxCount = 1_000_000

  init(_ format: DeviceFormat) {
    self.format = format
    reader =
      switch format {
      case .fit: FITReader()
      case .gpx, .tcx: ActivityReader(format)
      case .polarFlow: PolarFlowReader()
      case .polarHRM: PolarHRMReader()
      }
  }

  /// Reads the next piece.
  ///
  /// - Parameters:
  ///   - bytes: the piece.
  ///   - isLast: whether the file ends after it.
  /// - Throws: ``DeviceFault`` beyond which nothing can be read; what came before is kept.
  mutating func take(_ bytes: [UInt8], isLast: Bool) throws(DeviceFault) {
    size += bytes.count
    guard size <= Self.maxLength else {
      throw DeviceFault(
        place: .file, reason: "it is longer than \(Self.maxLength >> 20) MB, which no \(format.title) of a day is")
    }
    try reader.take(bytes, isLast: isLast)
    guard reader.samples.count <= Self.maxCount else {
      throw DeviceFault(
        place: .file,
        reason:
          "it has more than \(Self.maxCount) heart rates and intervals, which no \(format.title) of a week has; split it"
      )
    }
  }

  /// What was read.
  ///
  /// - Throws: ``DeviceFault`` if it is no heart data, or has numbers that no heart has.
  func file() throws(DeviceFault) -> DeviceFile { try reader.samples.file(format) }

  /// The number of what the file holds besides, by its name in the format.
  var leftOut: [String: Int] { reader.samples.leftOut }

  /// Reads a whole file.
  ///
  /// - Parameters:
  ///   - format: its format.
  ///   - pieces: its content.
  ///   - path: its name for messages.
  /// - Returns: what it holds of a heart.
  /// - Throws: ``RecordingError`` with the place and advice.
  package static func read(
    _ format: DeviceFormat, _ pieces: consuming FilePieces, _ path: String
  ) throws(RecordingError) -> DeviceFile {
    var reader = DeviceFileReader(format)
    var fault: DeviceFault?
    try pieces.read { (bytes, isLast) throws(RecordingFault) in
      guard fault == nil else { return }
      do throws(DeviceFault) { try reader.take(bytes, isLast: isLast) } catch { fault = error }
    }
    do throws(DeviceFault) {
      guard let fault else { return try reader.file() }
      guard fault.isCut, reader.reader.samples.count > 0 else { throw fault }
      var file = try reader.file()
      file.caveats.insert(.cutShort(reason: "\(fault)"), at: 0)
      return file
    } catch {
      throw .unreadable(path: path, reason: "\(error)")
    }
  }
}

/// The formats in which watches, chest straps and their programs export what they recorded.
package enum DeviceFormat: String, CaseIterable, Hashable, Sendable {
  /// The binary files of Garmin and many other makers.
  case fit
  /// Tracks with heart rates in their extensions.
  case gpx
  /// A training session as Polar Flow exports it in CSV.
  case polarFlow
  /// The text files of Polar's older programs.
  case polarHRM
  /// Activities of Garmin's Training Center.
  case tcx

  /// What a file is, for messages.
  package var title: String {
    switch self {
    case .fit: "FIT file"
    case .gpx: "GPX track"
    case .polarFlow: "session exported by Polar Flow"
    case .polarHRM: "Polar HRM file"
    case .tcx: "TCX file"
    }
  }
}
