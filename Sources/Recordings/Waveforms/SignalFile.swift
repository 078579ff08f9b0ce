import Basics
import Glibc

/// A file of signals, open for reading: EDF, EDF+, BDF, BDF+, or the header or the annotations of a WFDB record.
///
/// It is read piece by piece, in any order and from any thread; a piece is a record of an EDF file, or about a second.
package final class SignalFile: Sendable {
  /// The largest number of signals.
  package static let maxSignals = 1024
  /// The largest record of an EDF file, and the largest second of a WFDB record, in bytes.
  static let maxPiece = 1 << 24

  /// The path as the caller wrote it.
  package let path: String
  /// The format's name: `EDF+`, `WFDB`.
  package let format: String
  /// The signals.
  package let channels: [SignalChannel]
  /// The number of pieces.
  package let pieces: Int
  /// The duration in seconds, without the pauses between records.
  package let duration: Double
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
  package func annotations() throws(RecordingError) -> (all: [SignalAnnotation], isWhole: Bool) {
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
