import Basics

/// A file that can be a stimulus, as found when the library was read.
package struct Clip: Hashable, Sendable, FlatInJSON {
  /// The clip's name in results: the file's name without its extension.
  package var name: String

  /// The file's name.
  package var file: String

  /// The file's folder with a trailing slash; not encoded, because it is meaningful on this station only.
  private var folder = ""

  /// The path of the file; only its name for a clip that was read from a journal.
  package var path: String { folder + file }

  /// The folder inside the library's folder that the file lies in; `nil` for one that lies in the library's folder itself.
  ///
  /// Not encoded: the name of a clip is unique in all folders that a protocol names.
  package var subfolder: String?

  /// The file's size in bytes.
  package var bytes: Int

  /// The SHA-256 of the file, 64 lower-case hexadecimal digits.
  package var sha256: String

  /// The number of decoded sample frames, without the encoder delay and padding of an mp3.
  package var frames: Int

  /// Sample frames per second.
  package var sampleRate: Int

  /// The number of channels.
  package var channels: Int

  /// The library's annotation.
  package var annotation: ClipAnnotation

  private enum CodingKeys: String, CodingKey {
    case name, file, bytes, sha256, frames, sampleRate, channels, annotation
  }

  package init(
    name: String, path: String, bytes: Int, sha256: String, frames: Int, sampleRate: Int, channels: Int,
    annotation: ClipAnnotation = ClipAnnotation(), subfolder: String? = nil
  ) {
    self.name = name
    self.subfolder = subfolder
    let start = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
    folder = String(path[..<start])
    file = String(path[start...])
    self.bytes = bytes
    self.sha256 = sha256
    self.frames = frames
    self.sampleRate = sampleRate
    self.channels = channels
    self.annotation = annotation
  }

  /// The duration of the decoded sound.
  package var duration: Duration { .seconds(Double(frames) / Double(sampleRate)) }
}

/// A clip's annotation in a library's `clips.json`; `nil` for missing members.
package struct ClipAnnotation: Hashable, Sendable, FlatInJSON {
  /// The piece's title.
  package var title: String?
  /// The intended mood.
  package var mood: String?
  /// Beats per minute.
  package var tempo: Double?
  /// The researcher's own words for its character: `slow`, `minor`.
  package var tags: [String]?
  /// The SPDX identifier of its licence.
  package var licence: String?

  private enum CodingKeys: String, CodingKey {
    case title, mood, tags, licence
    case tempo = "tempo_bpm"
  }

  /// Creates an annotation.
  package init(
    title: String? = nil, mood: String? = nil, tempo: Double? = nil, tags: [String]? = nil, licence: String? = nil
  ) {
    self.title = title
    self.tags = tags
    self.mood = mood
    self.tempo = tempo
    self.licence = licence
  }
}

/// The clips that a draw has to choose from: those of the library that meet every given criterion.
struct ClipPool: Hashable, Sendable {
  /// Their names; `nil` for any.
  var names: [String]?
  /// Their mood in `clips.json`; `nil` for any.
  var mood: String?
  /// The tags in `clips.json` that they all have.
  var tags: [String]
  /// The folder inside the folder of clips that they lie in; `nil` for the folder of clips itself.
  var folder: String?

  init(names: [String]? = nil, mood: String? = nil, tags: [String] = [], folder: String? = nil) {
    (self.names, self.mood, self.tags, self.folder) = (names, mood, tags, folder)
  }

  /// The clips of a library that are in the pool, sorted by the UTF-8 bytes of their names.
  func clips(among clips: [Clip]) -> [Clip] {
    clips.filter(contains).sorted { $0.name.precedes($1.name) }
  }

  private func contains(_ clip: Clip) -> Bool {
    (names.map { $0.contains(clip.name) } ?? true) && (mood.map { $0 == clip.annotation.mood } ?? true)
      && tags.allSatisfy { clip.annotation.tags?.contains($0) ?? false } && folder == clip.subfolder
  }

  /// The clips that are in both pools; those of a folder and of no folder are in that folder.
  func intersection(_ other: ClipPool) -> ClipPool {
    var both = self
    both.names =
      names.map { names in other.names.map { theirs in names.filter(theirs.contains) } ?? names } ?? other.names
    // A clip has one mood and one folder.
    if let mood, let theirs = other.mood, mood != theirs { both.names = [] }
    if let folder, let theirs = other.folder, folder != theirs { both.names = [] }
    both.mood = mood ?? other.mood
    both.folder = folder ?? other.folder
    both.tags += other.tags.filter { !tags.contains($0) }
    return both
  }
}
