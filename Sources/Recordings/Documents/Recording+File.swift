internal import Bundles
internal import Files
internal import Tables

/// What a file does not say itself.
public struct ReadingOptions: Hashable, Sendable {
  /// The unit of intervals between beats; `nil` for what a column's name says, else milliseconds.
  ///
  /// A unit that is given is believed as long as any heart could beat like that.
  public var intervalUnit: TimeUnit?

  /// The unit of a table's times; `nil` for what its column's name says, else seconds.
  ///
  /// Seconds that are given are believed, however far apart they are.
  public var timeUnit: TimeUnit?

  /// What the items of a heart file are put together by.
  public var grouping: Recording.Grouping

  /// Options; nothing of them is guessed.
  public init(
    intervalUnit: TimeUnit? = nil, timeUnit: TimeUnit? = nil, grouping: Recording.Grouping = .sensor
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

    /// Its name in sentences.
    var name: String { self == .seconds ? "seconds" : "milliseconds" }

    /// How many of it are a second.
    var perSecond: Double { self == .seconds ? 1 : 1000 }
  }
}

extension Recording {
  /// The recordings of a bundle's folder, a heart file, a table with a header, or a text with an interval a line.
  ///
  /// - Parameters:
  ///   - path: the folder, file or pipe; `-` is standard input.
  ///   - options: what the file does not say itself.
  ///   - see: is given every byte of a file while it is read, which a pipe gives once; nothing of a folder.
  /// - Returns: at least one; an empty one where nothing was recorded.
  /// - Throws: ``RecordingError`` where it cannot be read, with the place and the remedy.
  public static func read(
    path: String, _ options: ReadingOptions = ReadingOptions(), see: @escaping ([UInt8]) -> Void = { _ in }
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
    guard path == "-" || Folder.exists(path) else {
      throw .unreadable(path: path, reason: "there is no such file or folder")
    }
    let pieces = try FilePieces(path, path, see: see)
    switch try Kind(pieces.beginning, path) {
    case .heart:
      let recordings = try heart(pieces, path, by: options.grouping)
      return recordings.isEmpty ? [nothing(path, nil)] : recordings
    case .table: return try table(pieces, path, options)
    case .intervals: return [try intervals(pieces, path, options)]
    }
  }
}

/// What a file is, by its beginning.
private enum Kind {
  case heart, table, intervals

  init(_ beginning: [UInt8], _ path: String) throws(RecordingError) {
    func refuse(_ reason: String) -> RecordingError { .unreadable(path: path, reason: reason) }
    var beginning = beginning[...]
    if beginning.starts(with: "PK\u{3}\u{4}".utf8) || beginning.starts(with: [0x1F, 0x8B]) {
      throw refuse("it is compressed; unpack it")
    }
    if beginning.starts(with: [0xFF, 0xFE]) || beginning.starts(with: [0xFE, 0xFF]) || beginning.contains(0) {
      throw refuse("it is no UTF-8 text")
    }
    if beginning.starts(with: [0xEF, 0xBB, 0xBF]) { beginning = beginning.dropFirst(3) }
    let lines = beginning.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") })
    let first = lines.lazy.map { $0.drop { $0 == 0x20 || $0 == 0x09 } }
      .first { !$0.isEmpty && $0.first != UInt8(ascii: "#") && !TableRow.isSeparator($0) }
    guard let first, let character = first.first else { throw refuse("there is nothing in it") }
    switch character {
    case UInt8(ascii: "{"), UInt8(ascii: "["): self = .heart
    case UInt8(ascii: "<"):
      throw refuse("it is XML; “station store import” takes in an Apple Health export, and “station query” lists it")
    default:
      guard let text = String(validating: first, as: UTF8.self) else { throw refuse("it is no UTF-8 text") }
      self = TableColumns.isHeader(text) ? .table : .intervals
    }
  }
}
