import Basics
import Glibc

/// A file of signals, open for reading: EDF, EDF+, BDF, BDF+, or the header or the annotations of a WFDB record.
///
/// It is read piece by piece, in any order and from any thread; a piece is a record of an EDF file, or about a second.
package final class SignalFile: Sendable {
  /// The largest number of signals.
  static let maxSignals = 1024
  /// The largest record of an EDF file, and the largest second of a WFDB record, in bytes.
  static let maxPiece = 1 << 24

  /// The path as the caller wrote it.
  package let path: String
  /// The format's name: `EDF+`, `WFDB`.
  let format: String
  package let channels: [SignalChannel]
  /// The number of pieces.
  package let pieces: Int
  /// The duration in seconds, without the pauses between records.
  let duration: Double
  /// The caveats on the file: it holds less than its header says, or more.
  package let caveats: [RecordingCaveat]

  /// Whether its header says that the data are simulated.
  package var isSimulated: Bool { source.isSimulated }

  private let source: any SignalSource

  /// Whether a file begins as one of these formats does.
  package static func isBeginning(_ bytes: [UInt8]) -> Bool {
    EDFHeader.isBeginning(bytes) || WFDBHeader.isBeginning(bytes)
  }

  /// Opens a file and reads its header.
  ///
  /// - Throws: ``RecordingError`` with what is wrong with it.
  package init(_ path: String) throws(RecordingError) {
    self.path = path
    do {
      let file = try OpenFile(path)
      let beginning = try file.read(EDFHeader.fixedSize, at: 0)
      if EDFHeader.isBeginning(beginning) {
        source = try EDFSource(file, beginning)
      } else if WFDBAnnotations.isBeginning(beginning) {
        source = try WFDBMarks(file, path: path)
      } else {
        source = try WFDBSource(file, path: path)
      }
    } catch let fault as SignalFault {
      throw .unreadable(path: path, reason: fault.reason)
    } catch let error as FileError {
      throw .unreadable(path: path, reason: error.isMissing ? "there is no such file or folder" : error.reason)
    } catch {
      throw .unreadable(path: path, reason: "\(error)")
    }
    (format, channels, pieces, duration) = (source.format, source.channels, source.pieces, source.duration)
    caveats = source.caveats
  }

  /// The samples of a piece: a block of each signal that has some.
  ///
  /// - Parameters:
  ///   - piece: its number, from 0.
  ///   - wanted: the numbers of the signals.
  /// - Returns: the blocks, in the order of the signals.
  /// - Throws: ``RecordingError`` with the system's reason.
  package func blocks(ofPiece piece: Int, of wanted: Set<Int>) throws(RecordingError) -> [SignalBlock] {
    do {
      return try source.blocks(ofPiece: piece, of: wanted)
    } catch {
      throw .unreadable(path: path, reason: "\(error)")
    }
  }

  /// The annotations in the order of time; none in a file without.
  ///
  /// - Returns: the annotations, and whether they end where they should.
  /// - Throws: ``RecordingError`` with the system's reason.
  func annotations() throws(RecordingError) -> (all: [SignalAnnotation], isWhole: Bool) {
    do {
      let (all, isWhole) = try source.annotations()
      return (all.sorted { $0.time < $1.time }, isWhole)
    } catch {
      throw .unreadable(path: path, reason: "\(error)")
    }
  }
}

/// What a format has of a file's signals.
protocol SignalSource: Sendable {
  var format: String { get }
  var channels: [SignalChannel] { get }
  var pieces: Int { get }
  var duration: Double { get }
  var caveats: [RecordingCaveat] { get }
  var isSimulated: Bool { get }

  func blocks(ofPiece piece: Int, of wanted: Set<Int>) throws(FileError) -> [SignalBlock]
  func annotations() throws(FileError) -> (all: [SignalAnnotation], isWhole: Bool)
}

extension SignalSource {
  /// `false`: only the headers of EDF and BDF say so.
  var isSimulated: Bool { false }
}

/// A file that several values share.
final class OpenFile: Sendable {
  private let file: File
  let size: Int

  init(_ path: String) throws(FileError) {
    try Folder.check(path)
    // A header from elsewhere may name a pipe, which would be waited for.
    var status = stat()
    guard unsafe stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
      throw FileError("read", path, code: FileError.irregular)
    }
    file = try File(path, .read)
    size = try file.size()
  }

  /// Reads bytes from a place on; fewer at the file's end.
  func read(_ count: Int, at place: Int) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let piece = try file.read(upTo: count - bytes.count, at: place + bytes.count)
      if piece.isEmpty { break }
      bytes = bytes.isEmpty ? piece : bytes + piece
    }
    return bytes
  }
}

/// Why a file of signals cannot be read.
enum SignalFault: Error, Hashable {
  /// A field of the header is not what it has to be: its name, and its text.
  case field(String, String)
  /// The file ends within the header, which needs so many bytes.
  case cut(needed: Int)
  /// The header says that it has another size than its signals need.
  case headerSize(said: Int, needed: Int)
  /// It has no signals, or too many.
  case signalCount(Int)
  /// A record or a frame is larger than any that is read, in bytes.
  case tooLarge(bytes: Int)
  /// There are no whole records or frames.
  case noSamples
  /// The header of a WFDB record has several segments.
  case segments(Int)
  /// A line of the header is missing or cannot be read.
  case line(Int, String)
  /// Samples are in a format that is not read: its number, and the signal's name.
  case format(String, signal: String)
  /// Nothing says how many of the units of an annotation file's times make a second: the header that would.
  case noRate(header: String)
  /// The signals' file cannot be opened: its name, and why.
  case signalFile(String, String)

  /// What is wrong, as a clause, and what to do.
  var reason: String {
    switch self {
    case .field(let name, let text):
      "its header is damaged: “\(text.visible)” is not a \(name)"
    case .cut(let needed): "it ends within its header, which has \(needed) bytes; the file was cut off"
    case .headerSize(let said, let needed):
      "its header is damaged: it says that it has \(said) bytes, and its signals need \(needed)"
    case .signalCount(let count): "it has \(count) signals; from 1 to \(SignalFile.maxSignals) are read"
    case .tooLarge(let bytes): "its records have \(bytes) bytes each; up to \(SignalFile.maxPiece) are read"
    case .noSamples: "it has no samples; the recording may have been cut off right after its header"
    case .segments(let count): "it is a record of \(count) segments; name the header of one segment"
    case .line(let number, let what): "line \(number) of its header: \(what)"
    case .format(let number, let signal):
      "its signal “\(signal.visible)” is in format \(number.visible); formats 16, 24, 32, 61, 80, 160, 212, 310 and 311 are "
        + "read: convert it with “xform -O 16” of the WFDB package"
    case .noRate(let header):
      "its times are numbers of samples, and nothing says how many samples make a second; put the header of its record, "
        + "“\(header.visible)”, beside it"
    case .signalFile(let name, let why): "its samples in “\(name.visible)” cannot be read: \(why)"
    }
  }
}

extension HeartRecording {
  /// The beats that a file of signals marks.
  ///
  /// - Throws: ``RecordingError`` for a file without such marks, whose beats have to be detected.
  static func annotated(_ file: SignalFile) throws(RecordingError) -> HeartRecording {
    let (beats, caveats) = try file.annotatedBeats()
    guard beats.count > 1 else {
      throw .unreadable(
        path: file.path,
        reason: file.channels.isEmpty
          ? "it is \(file.format) without signals, and marks no beats"
          : "it is \(file.format) with the samples of \(file.names), and marks no beats; “--detect” finds them in an "
            + "electrocardiogram or a pulse wave")
    }
    var recording = HeartRecording(
      path: file.path, sensor: "annotations", beats: IntervalSeries(beats: beats), caveats: file.caveats + caveats)
    recording.isInSimulatedFile = file.isSimulated
    return recording
  }
}

extension SignalFile {
  /// The times of the beats that it marks, in seconds, each once, and the caveats on them.
  package func annotatedBeats() throws(RecordingError) -> (times: [Double], caveats: [RecordingCaveat]) {
    var beats: [Double] = []
    let (all, isWhole) = try annotations()
    for mark in all where mark.isBeat && mark.time > beats.last ?? -.infinity { beats.append(mark.time) }
    return (beats, isWhole ? [] : [.annotationsCut(at_s: all.last?.time ?? 0)])
  }

  /// The names of its first signals, in quotation marks.
  package var names: String { channels.prefix(12).map { "“\($0.label.visible)”" }.joined(separator: ", ") }
}

extension IntervalSeries {
  /// The longest interval between two beats without one missing, in seconds.
  package static let maxStep = 3.0

  /// The intervals between beats.
  ///
  /// - Parameter beats: the times of the beats in seconds, ascending.
  package init(beats: [Double]) {
    let intervals = zip(beats.dropFirst(), beats).map { $0 - $1 <= Self.maxStep ? ($0 - $1) * 1000 : .nan }
    self.init(Array(intervals), ends: Array(beats.dropFirst()), gapTolerance: BeatPlacement.maxSlip)
  }
}
