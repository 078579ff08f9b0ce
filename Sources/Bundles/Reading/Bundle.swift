package import Basics
import Quantities
import Study

/// A finished trial: a folder with the clip, what became of it, and the heart data that belong to it.
package struct Bundle: Hashable, Sendable {
  /// The folder's path.
  package let path: String

  /// The document that most people read, unchanged: `data/result.json`.
  package let result: JSONValue

  /// What that document says.
  package let record: TrialRecord

  /// The paths of the document's members that are not known here: what a newer station has written.
  var unknownMembers: [String] { (try? result.unknownMembers(of: TrialRecord.self)) ?? [] }

  /// What is skipped of a bundle of a newer station: a note for readers; `nil` if nothing is.
  package var skippedNote: String? {
    let members = unknownMembers
    guard !members.isEmpty else { return nil }
    let named = members.prefix(5).joined(separator: ", ") + (members.count > 5 ? ", …" : "")
    return "a newer station wrote “\(BundleFile.result)”; \(members.count.counted("member")) not read: \(named.visible)"
  }

  /// The largest `result.json` that is read, in bytes.
  static let maxResult = 256 << 20

  /// Opens a bundle by its folder.
  ///
  /// - Throws: ``BundleError/unreadable(path:reason:)``.
  package init(_ path: String) throws(BundleError) {
    result = try Self.document(of: path)
    record = try Self.decoded(result, of: path)
    self.path = path
  }

  /// The document `data/result.json` of a folder.
  static func document(of path: String) throws(BundleError) -> JSONValue {
    do {
      // The folder itself may be reached through links, and nothing in it.
      _ = try Folder.find(path)
      return try JSONReader.read(File(inside: path, BundleFile.result).contents(limit: maxResult)).value
    } catch let error as FileError {
      guard error.isMissing else { throw .unreadable(path: path, reason: error.description) }
      let reason = Folder.exists(path) ? "it has no “\(BundleFile.result)”" : "there is no such folder"
      throw .unreadable(path: path, reason: reason)
    } catch {
      throw .unreadable(path: path, reason: "“\(BundleFile.result)” is not JSON: \(error)")
    }
  }

  /// What a document says, or a part of it.
  static func decoded<Value: Decodable>(_ result: JSONValue, of path: String) throws(BundleError) -> Value {
    do throws(JSONCodingError) {
      return try result.decoded()
    } catch {
      throw .unreadable(path: path, reason: "“\(BundleFile.result)”: \(error)")
    }
  }

  /// The path of the file with the heart data, `{"items":[…]}`.
  package var heartFile: String { "\(path)/\(BundleFile.heart)" }

  /// The path of the protocol's file, byte for byte as it was used.
  package var protocolFile: String { "\(path)/\(BundleFile.protocolFile)" }

  /// The bytes of the file with the heart data.
  ///
  /// - Throws: `FileError`.
  func heart() throws(FileError) -> [UInt8] { try openHeart().contents() }

  /// Opens the file with the heart data.
  ///
  /// - Throws: `FileError`, for what is not a regular file inside the bundle as well: a pipe, a device, a link.
  package func openHeart() throws(FileError) -> File { try open(BundleFile.heart) }

  /// The paths inside the bundle of the files with samples, the heart's first.
  var recordingFiles: [String] { record.recordingFiles }

  /// The path of a file inside the bundle.
  package func path(of file: String) -> String { "\(path)/\(file)" }

  /// Opens a regular file inside the bundle, by its path in it.
  package func open(_ file: String) throws(FileError) -> File { try File(inside: path, file) }
}

extension ResultsFolder {
  /// The names of the finished trials' folders, oldest first.
  ///
  /// - Throws: `FileError` when the folder cannot be read.
  package func trials() throws(FileError) -> [String] {
    guard Folder.isFolder(bundlesFolder) else { return [] }
    // File managers leave files of their own beside them.
    return try Folder.folderNames(in: bundlesFolder)
  }

  /// Where the bundle of that name lies.
  package func bundlePath(named name: String) -> String { "\(bundlesFolder)/\(name)" }
}

extension Bundle {
  /// A file that the bundle's manifest lists.
  package struct ListedFile: Hashable, Sendable {
    /// Its path inside the bundle.
    package let path: String
    /// The SHA-256 of what it held when the bundle was made.
    package let sha256: String
  }

  /// The files of the payload with their digests, as the manifest lists them; nothing is checked.
  ///
  /// - Throws: `FileError` where the manifest cannot be read.
  package func listedFiles() throws(FileError) -> [ListedFile] { try listedFiles(in: Bag.manifestFile) }

  /// The files that a manifest lists.
  func listedFiles(in manifest: String) throws(FileError) -> [ListedFile] {
    let bytes = try open(manifest).contents(limit: BagContents.maxTagFile)
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2 else { return nil }
      return ListedFile(path: Bag.decoded(String(parts[1].drop { $0 == " " || $0 == "*" })), sha256: String(parts[0]))
    }
  }

  /// The title of the protocol, as the bundle's copy of it says; `nil` where it does not.
  package var protocolTitle: String? {
    guard let bytes = try? open(BundleFile.protocolFile).contents(limit: Self.maxResult),
      let document = try? JSONReader.read(bytes).value
    else { return nil }
    return document["title"]?.string
  }
}

extension Bundle {
  /// The draw of the clip and its repetition in words, and why the clip could not be drawn again.
  package var replayedDraw: (lines: [String], problem: String?) {
    guard let draw = record.clip?.draw else {
      return (["no clip was drawn: the protocol names its clip, or has none"], nil)
    }
    let drawn = (draw.drawn ?? "none").visible
    let lines = [
      "drawn: “\(drawn)”, number \(draw.index) of \(draw.candidates.count), counted from 0",
      "seed \(draw.seed), generator \(draw.generator), purpose “\(draw.purpose)”",
    ]
    guard let again = draw.repeated() else {
      return (lines, "cannot repeat the draw: this station has no generator “\(draw.generator)”")
    }
    guard draw.holds, record.clip?.clip.name == draw.drawn else {
      return (lines, "the repeated draw gives another clip: “\((again.drawn ?? "none").visible)”")
    }
    return (lines + ["repeated draw: “\(drawn)”, the same clip"], nil)
  }
}

extension Bundle {
  /// A summary in a few lines, the last with the path.
  package var summary: [String] {
    var lines: [String] = []
    if let clip = record.clip { lines.append("clip name: \(clip.clip.name.visible)") }
    lines += record.recordings.map(Self.line)
    lines += record.answers.map { answer in
      let question = answer.step == answer.question ? answer.step : "\(answer.step), \(answer.question)"
      return "answer to \(question.visible): \(answer.value.description.visible)"
    }
    lines += record.annotations.map { "annotation at \($0.time.seconds.fixed(1)) s: \($0.text.visible)" }
    lines.append("outcome: \(record.closing.outcome.rawValue)")
    lines.append("verdict: \(record.verdict.rawValue)")
    lines += record.reasons.map { "  \($0.description.visible)" }
    lines += record.informativeCaveats.map { "note: \($0.description.visible)" }
    lines.append("bundle: \(path.visible)")
    return lines
  }

  /// The verdict with the first reason for it; `nil` for a good one.
  package var complaint: String? {
    guard record.verdict != .good else { return nil }
    let reason = record.caveats.first { $0.verdict == record.verdict }
    return "verdict: \(record.verdict.rawValue)" + (reason.map { ": \($0.caveat.description.visible)" } ?? "")
  }

  /// A summary of a recorder's samples, and how much is missing: `…; no data for 6.5 of 10.0 s`.
  private static func line(_ recording: TrialRecord.Recording) -> String {
    var line = "\(recording.recorder.identifier): \(recording.samples.counted("sample"))"
    if let summary = recording.summary {
      let unit = recording.recorder.configuration.unit
      line +=
        recording.isOfHeartbeats && [.countPerMinute, .millisecond].contains(unit)
        ? ", \(summary.min.fixed(0)) to \(summary.max.fixed(0)) \(unit), mean \(summary.mean.fixed(1))"
        : ", \(unit.text(of: summary.min)) to \(unit.text(of: summary.max)), mean \(unit.text(of: summary.mean))"
    }
    if recording.missing > .zero {
      line += "; no data for \(recording.missing.seconds.fixed(1)) of \(recording.length.seconds.fixed(1)) s"
    }
    return line
  }
}
