import Basics

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
