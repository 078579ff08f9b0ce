import Basics

/// The clips that a draw has to choose from: those of the library that meet every given criterion.
package struct ClipPool: Hashable, Sendable {
  /// Their names; `nil` for any.
  package var names: [String]?
  /// Their mood in `clips.json`; `nil` for any.
  package var mood: String?
  /// The tags in `clips.json` that they all have.
  package var tags: [String]
  /// The folder inside the folder of clips that they lie in; `nil` for the folder of clips itself.
  package var folder: String?

  /// Creates a pool.
  package init(names: [String]? = nil, mood: String? = nil, tags: [String] = [], folder: String? = nil) {
    (self.names, self.mood, self.tags, self.folder) = (names, mood, tags, folder)
  }

  /// The clips of a library that are in the pool, sorted by the UTF-8 bytes of their names.
  package func clips(among clips: [Clip]) -> [Clip] {
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
