import Basics

/// What a file does not say itself.
package struct ReadingOptions: Hashable, Sendable {
  /// The unit of intervals between beats; `nil` for what a column's name says, else milliseconds.
  ///
  /// A unit that is given is believed as long as any heart could beat like that.
  package var intervalUnit: TimeUnit?

  /// The unit of a table's times; `nil` for what its column's name says, else seconds.
  ///
  /// Seconds that are given are believed, however far apart they are.
  package var timeUnit: TimeUnit?

  /// What the items of a heart file are put together by.
  package var grouping: HeartRecording.Grouping

  /// Options; nothing of them is guessed.
  package init(
    intervalUnit: TimeUnit? = nil, timeUnit: TimeUnit? = nil, grouping: HeartRecording.Grouping = .sensor
  ) {
    self.intervalUnit = intervalUnit
    self.timeUnit = timeUnit
    self.grouping = grouping
  }

  /// A unit of time in files.
  package typealias TimeUnit = Recordings.TimeUnit
}

extension HeartRecording {
  /// The recordings of a heart file, a table with a header, or a text with an interval a line.
  ///
  /// - Parameters:
  ///   - path: the file or pipe; `-` is standard input.
  ///   - options: what the file does not say itself.
  ///   - see: is given every byte of the file while it is read, which a pipe gives once.
  /// - Returns: at least one; an empty one where nothing was recorded.
  /// - Throws: ``RecordingError`` where it cannot be read, with the place and the remedy.
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
    switch kind {
    case .sensorLines:
      throw .unreadable(
        path: path,
        reason: "it holds JSON lines as sensors send them, which are played back with “--sensor NAME=replay:FILE”; to "
          + "analyse them, convert them to \(FileKind.tableForm)")
    case .heart, .journal, .appleHealth, .openMHealth, .markup:
      let heart = try SensorRecordings(pieces, by: options.grouping)
      if let reason = heart.complaint { throw .unreadable(path: path, reason: reason) }
      let recordings = try heart.recordings(path: path, isTrial: false)
      return recordings.isEmpty ? [nothing(path)] : recordings
    case .table: return try table(pieces, path, options)
    case .intervals: return [try intervals(pieces, path, options)]
    }
  }
}
