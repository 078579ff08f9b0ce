import Basics

/// The properties of a file that its content does not declare.
package struct ReadingOptions: Hashable, Sendable {
  /// The unit of intervals between beats; `nil` for the unit in the column's name, otherwise milliseconds.
  ///
  /// An explicit unit is accepted as long as any heart could beat at that rate.
  package var intervalUnit: TimeUnit?

  /// The unit of a table's times; `nil` for the unit in the column's name, otherwise seconds.
  ///
  /// Explicit seconds are accepted, however far apart the times are.
  package var timeUnit: TimeUnit?

  /// How many samples a second beats or intervals count that have no unit; `nil` if they do not count samples.
  package var samplingRate: Double?

  /// How the items of a heart file are grouped into recordings.
  package var grouping: HeartRecording.Grouping

  /// How beats are looked for in waveforms; `nil` to read those that were recorded.
  package var detection: Detection?

  /// How beats are looked for in waveforms.
  package struct Detection: Hashable, Sendable {
    /// The channel of a waveform, or the name of a signal in a file; `nil` for the first that can have heartbeats.
    package var channel: String?

    /// Looks in a channel.
    package init(channel: String? = nil) { self.channel = channel }
  }

  /// Creates options; the defaults declare nothing.
  package init(
    intervalUnit: TimeUnit? = nil, timeUnit: TimeUnit? = nil, samplingRate: Double? = nil,
    grouping: HeartRecording.Grouping = .sensor, detection: Detection? = nil
  ) {
    self.samplingRate = samplingRate
    self.intervalUnit = intervalUnit
    self.timeUnit = timeUnit
    self.grouping = grouping
    self.detection = detection
  }

  /// A unit of time in files.
  package typealias TimeUnit = Recordings.TimeUnit
}

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
