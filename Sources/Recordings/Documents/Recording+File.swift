internal import Bundles
internal import Files

/// What a file does not say itself.
public struct ReadingOptions: Hashable, Sendable {
  /// The unit of intervals between beats, where neither the file nor a column's name says it.
  public var intervalUnit: TimeUnit

  /// The unit of a table's times, where its column's name does not say it.
  public var timeUnit: TimeUnit

  /// What the items of a heart file are put together by.
  public var grouping: Recording.Grouping

  /// Options; nothing of them is guessed.
  public init(
    intervalUnit: TimeUnit = .milliseconds, timeUnit: TimeUnit = .seconds, grouping: Recording.Grouping = .sensor
  ) {
    self.intervalUnit = intervalUnit
    self.timeUnit = timeUnit
    self.grouping = grouping
  }

  /// A unit of time in files.
  public enum TimeUnit: String, CaseIterable, Hashable, Sendable {
    /// Seconds.
    case seconds = "s"
    /// Milliseconds.
    case milliseconds = "ms"

    /// How many of it are a second.
    var perSecond: Double { self == .seconds ? 1 : 1000 }
  }
}

extension Recording {
  /// The recordings of a bundle's folder, a heart file, a table with a header, or a text with an interval a line.
  ///
  /// - Parameters:
  ///   - path: the folder or file.
  ///   - options: what the file does not say itself.
  /// - Returns: at least one; an empty one where nothing was recorded.
  /// - Throws: ``RecordingError`` where it cannot be read, with the place and the remedy.
  public static func read(
    path: String, _ options: ReadingOptions = ReadingOptions()
  ) throws(RecordingError) -> [Recording] {
    if Folder.isFolder(path) {
      let bundle: Bundle
      do throws(BundleError) {
        bundle = try Bundle(path)
      } catch {
        throw .bundle(error)
      }
      let recordings = try read(bundle, by: options.grouping)
      return recordings.isEmpty ? [nothing(path, TrialFacts(bundle))] : recordings
    }
    guard Folder.exists(path) else { throw .unreadable(path: path, reason: "there is no such file or folder") }
    guard Folder.isOrdinaryFile(path) else {
      throw .unreadable(path: path, reason: "it is a pipe or a device; save what it says as a file")
    }
    switch try kind(of: path) {
    case .heart:
      let recordings = try heart(path, path: path, trial: nil, by: options.grouping)
      return recordings.isEmpty ? [nothing(path, nil)] : recordings
    case .table:
      let recordings = try table(path, options)
      return recordings.isEmpty ? [nothing(path, nil)] : recordings
    case .intervals: return [try intervals(path, options)]
    }
  }

  private static func nothing(_ path: String, _ trial: TrialFacts?) -> Recording {
    Recording(path: path, trial: trial, remarks: ["It holds no samples."])
  }

  private enum Kind { case heart, table, intervals }

  private static func kind(of path: String) throws(RecordingError) -> Kind {
    func refuse(_ reason: String) -> RecordingError { .unreadable(path: path, reason: reason) }
    var beginning: [UInt8]
    do throws(FileError) {
      beginning = try File(path, .read).read(upTo: 1 << 16)
    } catch {
      throw refuse("\(error)")
    }
    if beginning.starts(with: "PK\u{3}\u{4}".utf8) || beginning.starts(with: [0x1F, 0x8B]) {
      throw refuse("it is compressed; unpack it")
    }
    if beginning.starts(with: [0xFF, 0xFE]) || beginning.starts(with: [0xFE, 0xFF]) || beginning.contains(0) {
      throw refuse("it is no UTF-8 text")
    }
    if beginning.starts(with: [0xEF, 0xBB, 0xBF]) { beginning.removeFirst(3) }
    let lines = beginning.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") })
    let first = lines.lazy.map { $0.drop { $0 == 0x20 || $0 == 0x09 } }
      .first { !$0.isEmpty && $0.first != UInt8(ascii: "#") }
    guard let first, let character = first.first else { throw refuse("there is nothing in it") }
    switch character {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return .heart
    case UInt8(ascii: "<"):
      throw refuse("it is XML; “station store import” takes in an Apple Health export, and “station query” lists it")
    default:
      guard let text = String(validating: first, as: UTF8.self) else { throw refuse("it is no UTF-8 text") }
      return TableColumns.isHeader(text) ? .table : .intervals
    }
  }
}
