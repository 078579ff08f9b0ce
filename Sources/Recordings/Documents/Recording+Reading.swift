public import Bundles
internal import Files
internal import JSON

extension Recording {
  /// What the items of a heart file are put together by.
  public enum Grouping: Hashable, Sendable {
    /// A recording for each recorder, with what belongs to that.
    case recorder
    /// A recording for each sensor, with what all recorders cut out of its stream, each reading once.
    case sensor
  }

  /// The recordings of a bundle, in the order of its heart file; none where nothing was recorded.
  ///
  /// - Throws: ``RecordingError`` where the heart file cannot be read.
  public static func read(_ bundle: Bundle, by grouping: Grouping = .sensor) throws(RecordingError) -> [Recording] {
    try heart(bundle.heartFile, path: bundle.path, trial: TrialFacts(bundle), by: grouping)
  }

  static func heart(
    _ file: String, path: String, trial: TrialFacts?, by grouping: Grouping
  ) throws(RecordingError) -> [Recording] {
    var pieces = JSONPieces(elementsOf: "items")
    var heart = HeartDocument(by: grouping)
    try FilePieces.read(file, path) { (bytes, isLast) throws(RecordingFault) in
      let (texts, fault) = pieces.take(bytes, isLast: isLast)
      for text in texts { try heart.take(text) }
      if let fault { throw RecordingFault(line: fault.line, reason: fault.reason) }
    }
    if trial == nil, let reason = heart.complaint { throw .unreadable(path: path, reason: reason) }
    return heart.recordings(path: path, trial: trial)
  }
}

/// A file from its beginning to its end, in flat memory.
enum FilePieces {
  private static let size = 1 << 16

  /// Gives a file piece by piece.
  ///
  /// - Parameters:
  ///   - file: where it lies.
  ///   - path: what a message calls it.
  ///   - take: takes a piece, and whether it is the last.
  /// - Throws: ``RecordingError`` with the line that `take` names, or why the system refuses.
  static func read(
    _ file: String, _ path: String, _ take: (_ bytes: [UInt8], _ isLast: Bool) throws(RecordingFault) -> Void
  ) throws(RecordingError) {
    let source = try open(file, path)
    var piece = try next(of: source, path)
    while true {
      let following = piece.isEmpty ? [] : try next(of: source, path)
      do throws(RecordingFault) {
        try take(piece, following.isEmpty)
      } catch {
        throw .unreadable(path: path, reason: "line \(error.line): \(error.reason)")
      }
      if following.isEmpty { return }
      piece = following
    }
  }

  private static func open(_ file: String, _ path: String) throws(RecordingError) -> File {
    do throws(FileError) { return try File(file, .read) } catch { throw .unreadable(path: path, reason: "\(error)") }
  }

  private static func next(of file: borrowing File, _ path: String) throws(RecordingError) -> [UInt8] {
    do throws(FileError) {
      return try file.read(upTo: size)
    } catch {
      throw .unreadable(path: path, reason: "\(error)")
    }
  }
}
