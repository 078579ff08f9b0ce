import Basics
package import Study

/// The clips of a folder: every `.mp3`, `.wav` and `.flac` file in it, with or without a `clips.json` that names and
/// annotates them; and those of the folders inside it that a protocol draws from.
///
/// Nothing is cached: each library is read from the files.
package struct ClipLibrary: Hashable, Sendable {
  let folder: String

  /// The usable clips, sorted by the UTF-8 bytes of their names, which are unique.
  package private(set) var clips: [Clip] = []

  /// The problems of the other files and of the list, one each.
  package private(set) var problems: [ClipError] = []

  /// Anomalies of usable clips, by clip name.
  package private(set) var warnings: [String: [String]] = [:]

  /// The folder's other entries, which are not used, sorted by the UTF-8 bytes of their names, without hidden files.
  package private(set) var skipped: [SkippedFile] = []

  static let maxListLength = 16 << 20

  /// Reads a folder; a file that cannot be used is a problem and does not affect the others.
  ///
  /// Every file is hashed and its exact length determined: mp3 files are walked frame by frame, not decoded; FLAC files
  /// are decoded, so that their checksums are verified.
  ///
  /// - Parameters:
  ///   - folder: the folder's path.
  ///   - subfolders: what folders inside it are called whose clips are used too, each with a list of its own.
  ///   - place: where such a folder lies inside of it.
  /// - Throws: ``ClipError`` if the folder itself cannot be read.
  package init(
    _ folder: String, subfolders: [String] = [], at place: (_ subfolder: String) -> String = { $0 }
  ) throws(ClipError) {
    self = try ClipLibrary(only: folder)
    for subfolder in subfolders {
      do throws(ClipError) { add(try ClipLibrary(only: path(of: place(subfolder))), in: subfolder) } catch {
        problems.append(error)
      }
    }
    clips.sort { $0.name.precedes($1.name) }
  }

  /// Adds the clips of a folder inside this one, except those whose names are taken.
  private mutating func add(_ other: ClipLibrary, in subfolder: String) {
    skipped.removeAll { "\(other.folder)/".hasPrefix("\($0.path)/") }
    skipped += other.skipped
    problems += other.problems
    let files = Dictionary(clips.map { ($0.name, $0.path) }) { first, _ in first }
    for var clip in other.clips {
      if let taken = files[clip.name] {
        problems.append(ClipError(path: clip.path, reason: .duplicateName(clip.name, others: [taken])))
        continue
      }
      clip.subfolder = subfolder
      clips.append(clip)
      warnings[clip.name] = other.warnings[clip.name]
    }
  }

  /// The library with other names for the folders inside of it.
  package func renaming(_ rename: (_ subfolder: String) -> String) -> ClipLibrary {
    var library = self
    library.clips = clips.map { clip in
      var clip = clip
      clip.subfolder = clip.subfolder.map(rename)
      return clip
    }
    return library
  }

  private init(only folder: String) throws(ClipError) {
    self.folder = folder
    let files: [String]
    do { files = try Folder.names(in: folder) } catch { throw ClipError(path: folder, reason: .unreadable(error)) }
    let entries = readList(isThere: files.contains(ClipList.fileName))
    var found: [String: [(file: String, entry: ClipList.Entry?)]] = [:]
    for file in files where !ClipName.isHidden(file) && !file.utf8.elementsEqual(ClipList.fileName.utf8) {
      guard ClipFormat(named: file) != nil else {
        skipped.append(SkippedFile(path(of: file)))
        continue
      }
      let entry = entries[file]
      found[entry?.name ?? ClipFormat.stem(of: file), default: []].append((file, entry))
    }
    for (file, _) in entries.sorted(by: { $0.key.precedes($1.key) })
    where !files.contains(file) {
      problems.append(ClipError(path: path(of: ClipList.fileName), reason: .listedButMissing(file)))
    }
    for (name, candidates) in found.sorted(by: { $0.key.precedes($1.key) }) {
      if candidates.count == 1 {
        add(candidates[0].file, name, candidates[0].entry)
      } else {
        for (file, _) in candidates {
          let others = candidates.map(\.file).filter { !$0.utf8.elementsEqual(file.utf8) }
          problems.append(ClipError(path: path(of: file), reason: .duplicateName(name, others: others)))
        }
      }
    }
  }

  func clip(named name: String) -> Clip? { clips.first { $0.name == name } }

  private mutating func readList(isThere: Bool) -> [String: ClipList.Entry] {
    guard isThere else { return [:] }
    let path = path(of: ClipList.fileName)
    guard Folder.isOrdinaryFile(path) else {
      // Opening a pipe without a writer would block.
      problems.append(ClipError(path: path, reason: .badList("it is not a regular file")))
      return [:]
    }
    let list: ClipList
    do { list = ClipList(try File.contents(of: path, limit: Self.maxListLength)) } catch {
      problems.append(ClipError(path: path, reason: .unreadable(error)))
      return [:]
    }
    problems += list.problems.map { ClipError(path: path, reason: .badList($0)) }
    var entries: [String: ClipList.Entry] = [:]
    for entry in list.entries where entries.updateValue(entry, forKey: entry.file) != nil {
      problems.append(ClipError(path: path, reason: .badList("“\(entry.file)” is listed twice")))
    }
    return entries
  }

  private mutating func add(_ file: String, _ name: String, _ entry: ClipList.Entry?) {
    let path = path(of: file)
    do throws(ClipError) {
      var reader = try ClipReader(path)
      let contents = try reader.finish()
      var annotation = entry?.annotation ?? ClipAnnotation()
      annotation.title = annotation.title ?? contents.title
      clips.append(
        Clip(
          name: name, path: path, bytes: contents.bytes, sha256: contents.sha256 ?? "", frames: contents.frames,
          sampleRate: contents.format.sampleRate, channels: contents.format.channels, annotation: annotation))
      if !contents.warnings.isEmpty { warnings[name] = contents.warnings }
    } catch {
      problems.append(error)
    }
  }

  private func path(of file: String) -> String { Folder.path(file, from: folder) }
}

/// An entry of a folder of clips that is not used as a clip.
package struct SkippedFile: Hashable, Sendable, CustomStringConvertible {
  /// Why a file is not among the clips.
  package enum Reason: String, Hashable, Sendable {
    /// It is a folder; subfolders are not searched.
    case folder
    /// The extension is that of an unsupported sound format.
    case soundFormat
    /// The extension is not that of a sound format.
    case otherFile
  }

  let path: String
  package let reason: Reason

  init(_ path: String) {
    self.path = path
    let ending = Folder.name(of: path).lowercased().split(separator: ".").last.map(String.init) ?? ""
    reason = Folder.isFolder(path) ? .folder : Self.sounds.contains(ending) ? .soundFormat : .otherFile
  }

  /// The message for the operator: `skipped “rain.ogg”: this format is not read; convert it to WAV or FLAC`.
  package var description: String { "skipped “\(Folder.name(of: path).visible)”: \(explanation)" }

  var explanation: String {
    switch reason {
    case .folder:
      "it is a folder of its own; “station clips \(path.visible)” shows its clips, and “folder” in a condition draws them"
    case .soundFormat: "this format is not read; convert it to WAV or FLAC"
    case .otherFile: "it is not an audio file by its name; clips end in .mp3, .wav or .flac"
    }
  }

  private static let sounds: Set<String> = [
    "3gp", "aac", "aif", "aifc", "aiff", "amr", "ape", "au", "caf", "dsf", "m4a", "m4b", "mid", "midi", "mka", "mkv",
    "mov",
    "mp2", "mp4", "mpa", "mpc", "oga", "ogg", "opus", "raw", "snd", "tta", "voc", "w64", "wave", "webm", "wma", "wv",
  ]
}
