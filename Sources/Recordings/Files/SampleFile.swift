import Basics
import Quantities

/// Another program's file, read piece by piece: as much memory for a gigabyte as for a megabyte.
///
/// Every sample has a UUID that follows from what it is, so that a store that refuses UUIDs it has takes each file, and
/// whatever later exports repeat, once.
package struct SampleFile: ~Copyable {
  /// The kinds of file that can be read.
  enum Format: String, Hashable, Sendable {
    /// The `export.xml` of Apple Health.
    case appleHealth
    /// Rows of columns with a header: CSV and its relatives.
    case table
    /// JSON documents as Open mHealth and IEEE 1752.1 define them.
    case openMHealth
    /// Files of watches, chest straps and their programs.
    case device
  }

  /// The file's path; within a folder that was given, the export's.
  let path: String

  /// What kind of file it is.
  let format: Format

  /// The file's size in bytes; zero for a pipe.
  package let size: Int

  /// How many of its bytes were read.
  package private(set) var position = 0

  private let file: File
  private let member: ZipReader?
  private let reader: any RecordReader
  private var piece: [UInt8]
  private var fault: Fault?
  private var isAtEnd = false

  /// The number of bytes that are read at once.
  static let pieceSize = 1 << 17

  // The number of samples in a batch, and the maximum number of pieces that are read for one.
  private static let batchSize = 2048
  private static let maxPieces = 64

  /// Opens a file, an Apple Health export as the phone has zipped it, or the folder to which that unpacks.
  ///
  /// - Parameters:
  ///   - path: the file or the folder.
  ///   - options: what the file does not say itself.
  /// - Throws: ``ImportError`` for a file that cannot be opened and for one of no kind that is known.
  package init(_ path: String, options: ImportOptions = ImportOptions()) throws(ImportError) {
    let path = Folder.isFolder(path) ? try AppleHealthFolder.export(in: path) : path
    let file = try Self.open(path)
    let beginning = try Self.piece(of: file)
    let member = ZipReader.isArchive(beginning) ? try AppleHealthFolder.export(zipped: path) : nil
    let piece = try member.map { member throws(ImportError) in try Self.piece(of: member, path) } ?? beginning
    let (format, reader) = try Self.reader(of: try Self.kind(of: piece, path), path, options)
    size = member == nil ? try Self.size(of: file) : 0
    self.path = path
    self.member = member
    self.format = format
    self.piece = piece
    self.file = file
    self.reader = reader
  }

  /// What became of the records so far.
  package var report: ImportReport { reader.report }

  /// Reads on.
  ///
  /// - Returns: what the next pieces hold, which may be nothing; `nil` at the file's end.
  /// - Throws: ``ImportError/broken(path:line:column:reason:)`` where nothing can be read any more, after what came
  ///   before was returned, and ``ImportError/file(_:)``.
  package mutating func next() throws(ImportError) -> ImportBatch? {
    if let fault {
      guard let line = fault.line else { throw .damaged(path: path, reason: fault.reason) }
      throw .broken(path: path, line: line, column: fault.column, reason: fault.reason)
    }
    guard !isAtEnd else { return nil }
    for _ in 0..<Self.maxPieces where !isAtEnd && fault == nil && reader.batch.weight < Self.batchSize {
      let following = try following()
      do throws(Fault) { try reader.read(piece, isLast: following.isEmpty) } catch { fault = error }
      position += piece.count
      isAtEnd = following.isEmpty
      piece = following
    }
    defer { reader.batch = ImportBatch() }
    return reader.batch
  }

  private static func open(_ path: String) throws(ImportError) -> File {
    do throws(FileError) { return try File(path, .read) } catch { throw .file(error) }
  }

  private borrowing func following() throws(ImportError) -> [UInt8] {
    guard !piece.isEmpty else { return [] }
    return if let member { try Self.piece(of: member, path) } else { try Self.piece(of: file) }
  }

  private static func piece(of member: ZipReader, _ path: String) throws(ImportError) -> [UInt8] {
    do throws(ArchiveFault) { return try member.read(upTo: pieceSize) } catch {
      throw .notImportable(path: path, reason: error.description)
    }
  }

  private static func size(of file: borrowing File) throws(ImportError) -> Int {
    do throws(FileError) { return try file.size() } catch { throw .file(error) }
  }

  private static func piece(of file: borrowing File) throws(ImportError) -> [UInt8] {
    do throws(FileError) { return try file.read(upTo: pieceSize) } catch { throw .file(error) }
  }

  private static func kind(of beginning: [UInt8], _ path: String) throws(ImportError) -> FileKind {
    func refuse(_ reason: String) -> ImportError { .notImportable(path: path, reason: reason) }
    guard beginning.afterByteOrderMark.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }) else {
      throw refuse("it is empty")
    }
    do throws(FileKind.Foreign) { return try FileKind(beginning) } catch { throw refuse(error.reason) }
  }

  private static func reader(
    of kind: FileKind, _ path: String, _ options: ImportOptions
  ) throws(ImportError) -> (Format, any RecordReader) {
    func refuse(_ reason: String) -> ImportError { .notImportable(path: path, reason: reason) }
    switch kind {
    case .appleHealth, .markup: return (.appleHealth, AppleHealthReader(options))
    case .openMHealth, .heart: return (.openMHealth, OpenMHealthReader(options))
    case .table, .intervals: return (.table, TableReader(options, file: Folder.name(of: path)))
    case .device(let format): return (.device, DeviceImport(format, options, file: Folder.name(of: path)))
    case .journal: throw refuse("it is the journal of a trial; “station store add BUNDLE” takes in a trial's bundle")
    case .signals:
      throw refuse(
        "it holds the samples of signals; “station analyse --detect” finds the beats in it, and “--sensor "
          + "NAME=replay:FILE” plays it back")
    case .sensorLines:
      throw refuse(
        "it holds JSON lines as sensors send them, which are played back with “--sensor NAME=replay:FILE”; to import "
          + "them, convert them to \(FileKind.tableForm)")
    }
  }
}

@available(*, unavailable)
extension SampleFile: Sendable {}

extension HeartRecording {
  /// Reads the recordings of a heart file, a file of a device, a table with a header, or a text with one interval per
  /// line.
  ///
  /// - Parameters:
  ///   - path: the file or pipe; `-` is standard input.
  ///   - options: the properties that the file does not declare.
  ///   - see: called with every byte of the file while it is read, because a pipe can be read only once.
  /// - Returns: at least one recording; an empty one if the file has no samples.
  /// - Throws: ``RecordingError`` if the file cannot be read, with the place and advice.
  package static func read(
    path: String, _ options: ReadingOptions = ReadingOptions(), see: @escaping ([UInt8]) -> Void = { _ in }
  ) throws(RecordingError) -> [HeartRecording] {
    do throws(FileError) {
      if path != "-" { try Folder.check(path) }
    } catch {
      throw .unreadable(path: path, reason: error.isMissing ? "there is no such file or folder" : error.reason)
    }
    let pieces = try FilePieces(path, path, see: see)
    let kind: FileKind
    do throws(FileKind.Foreign) {
      kind = try FileKind(pieces.beginning)
    } catch {
      throw .unreadable(path: path, reason: error.reason)
    }
    if let remedy = kind.remedy { throw .unreadable(path: path, reason: remedy) }
    if options.samplingRate != nil, kind != .table, kind != .intervals {
      throw .unreadable(path: path, reason: "it has times of its own; leave out --sampling-rate")
    }
    switch kind {
    case .sensorLines:
      throw .unreadable(
        path: path,
        reason: "it holds JSON lines as sensors send them, which are played back with “--sensor NAME=replay:FILE”; to "
          + "analyse them, convert them to \(FileKind.tableForm)")
    case .heart, .journal, .appleHealth, .openMHealth, .markup:
      let heart = try SensorRecordings(pieces, by: options.grouping)
      if let reason = heart.problem { throw .unreadable(path: path, reason: reason) }
      let recordings = try heart.recordings(path: path, isTrial: false)
      return recordings.isEmpty ? [nothing(path)] : recordings
    case .device(let format): return [try DeviceFileReader.read(format, pieces, path).recording(path: path)]
    case .table: return try table(pieces, path, options)
    case .intervals: return [try intervals(pieces, path, options)]
    case .signals: return [try annotated(try SignalFile(path))]
    }
  }
}
