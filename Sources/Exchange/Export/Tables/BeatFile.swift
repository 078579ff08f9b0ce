import Basics
import Recordings

/// A file of exported beats, with what its folders say.
struct BeatFile: Sendable {
  private let path: String
  private let site: String
  private let date: String

  /// The files of an export, in the order of their paths.
  ///
  /// - Throws: ``ExportError/noBeats(path:)`` for a folder that is no export of JSON Lines, and `FileError`.
  static func all(in folder: String) throws -> [BeatFile] {
    let beats = "\(folder)/\(ExportTable.beats.rawValue)"
    try Folder.check(folder)
    guard Folder.exists("\(folder)/\(ExportKind.jsonLines.mark)"), Folder.isFolder(beats) else {
      throw ExportError.noBeats(path: folder)
    }
    var files: [BeatFile] = []
    for site in try Folder.names(in: beats) where site.hasPrefix("site=") {
      for date in try Folder.names(in: "\(beats)/\(site)") where date.hasPrefix("date=") {
        for name in try Folder.names(in: "\(beats)/\(site)/\(date)")
        where name.hasSuffix(".jsonl") && !name.hasPrefix(".") {
          files.append(
            BeatFile(
              path: "\(beats)/\(site)/\(date)/\(name)", site: String(site.dropFirst(5)), date: String(date.dropFirst(5))
            ))
        }
      }
    }
    return files
  }

  /// The sums of the file's beats.
  ///
  /// - Throws: ``ExportError/unreadableRow(path:line:reason:)``, and for a file that cannot be read
  ///   ``ExportError/unreadableTable(reason:)``.
  func tally(by key: BeatSummary.Key) throws(ExportError) -> BeatTally {
    let folder: [UInt8]? =
      switch key {
      case .site: Array(site.utf8)
      case .date: Array(date.utf8)
      default: nil
      }
    let column = Array(key.rawValue.utf8)
    var tally = BeatTally()
    var fault: ExportError?
    func take(_ number: Int, _ line: Span<UInt8>?) {
      guard fault == nil else { return }
      guard let line else {
        fault = .unreadableRow(path: path, line: number, reason: "it is longer than \(LineSplitter.longest) bytes")
        return
      }
      if line.isEmpty || Self.add(line, column, folder, to: &tally) { return }
      do throws(RowFault) {
        try Self.addStrictly(line, key, folder, to: &tally)
      } catch {
        fault = .unreadableRow(path: path, line: number, reason: error.reason)
      }
    }
    do throws(FileError) {
      let file = try File(path, .read, isRegular: true)
      var lines = LineSplitter()
      while case let piece = try file.read(upTo: 1 << 18), !piece.isEmpty, fault == nil {
        lines.take(piece.span, each: take)
      }
      lines.end(each: take)
    } catch {
      throw .unreadableTable(reason: "\(error)")
    }
    if let fault { throw fault }
    return tally
  }

  /// What is wrong with a row.
  private struct RowFault: Error { let reason: String }

  /// Adds a row whose texts have no escapes.
  ///
  /// - Returns: `false` for any other row, of which nothing is added.
  private static func add(
    _ line: Span<UInt8>, _ column: [UInt8], _ folder: [UInt8]?, to tally: inout BeatTally
  ) -> Bool {
    var position = 0
    var (group, trial, interval): (Range<Int>?, Range<Int>?, Double?) = (nil, nil, nil)
    var isArtefact = false
    var isGrouped = folder != nil
    guard FlatJSON.take(line, &position, "{") else { return false }
    repeat {
      guard let name = FlatJSON.string(line, &position), FlatJSON.take(line, &position, ":"), position < line.count
      else {
        return false
      }
      switch line[position] {
      case UInt8(ascii: "\""):
        guard let text = FlatJSON.string(line, &position) else { return false }
        if FlatJSON.isEqual(line, name, "trial") { trial = text }
        if FlatJSON.isEqual(line, name, "artefact") { isArtefact = true }
        if isSame(line, name, column) { (group, isGrouped) = (text, true) }
      case UInt8(ascii: "n"):
        guard FlatJSON.skip(line, &position, "null") else { return false }
        if isSame(line, name, column) { isGrouped = true }
      case UInt8(ascii: "t"), UInt8(ascii: "f"):
        guard let truth = FlatJSON.truth(line, &position) else { return false }
        if truth, FlatJSON.isEqual(line, name, "simulated") { tally.isSimulated = true }
      default:
        guard let number = FlatJSON.number(line, &position) else { return false }
        if FlatJSON.isEqual(line, name, "interval_ms") { interval = number }
      }
    } while FlatJSON.take(line, &position, ",")
    guard FlatJSON.take(line, &position, "}"), position == line.count, let trial, let interval, isGrouped else {
      return false
    }
    if isArtefact { return true }
    if let folder {
      tally.add(interval, folder.span, trial: line.extracting(trial))
    } else if let group {
      tally.add(interval, line.extracting(group), trial: line.extracting(trial))
    } else {
      tally.add(interval, nil, trial: line.extracting(trial))
    }
    return true
  }

  private static func isSame(_ line: Span<UInt8>, _ range: Range<Int>, _ word: [UInt8]) -> Bool {
    guard range.count == word.count else { return false }
    for index in word.indices where line[range.lowerBound + index] != word[index] { return false }
    return true
  }

  /// Adds any row, or says what is wrong with it.
  private static func addStrictly(
    _ line: Span<UInt8>, _ key: BeatSummary.Key, _ folder: [UInt8]?, to tally: inout BeatTally
  ) throws(RowFault) {
    var bytes: [UInt8] = []
    for index in line.indices { bytes.append(line[index]) }
    let row: JSONValue
    do throws(JSONProblems) {
      row = try JSONReader.read(bytes).value
    } catch {
      throw RowFault(reason: error.problems[0].reason)
    }
    guard let trial = row["trial"]?.string, let interval = row["interval_ms"]?.number else {
      throw RowFault(reason: "it has no “trial” or no “interval_ms”: expected a row of exported beats")
    }
    guard folder != nil || row[key.rawValue] != nil else { throw RowFault(reason: "it has no “\(key.rawValue)”") }
    if row["simulated"]?.bool ?? false { tally.isSimulated = true }
    if row["artefact"]?.string != nil { return }
    let group = folder ?? (row[key.rawValue]?.string).map { Array($0.utf8) }
    let identifier = Array(trial.utf8)
    if let group {
      tally.add(interval, group.span, trial: identifier.span)
    } else {
      tally.add(interval, nil, trial: identifier.span)
    }
  }
}
