import Basics

/// What lies in a bag, which is a folder or an archive.
struct BagContents {
  /// A file of a bag.
  enum Found: Hashable {
    /// It was read.
    case whole(bytes: Int, sha256: String)
    /// It could not be read.
    case failed(FileError)
  }

  /// The files by their path in the bag.
  private(set) var files: [String: Found] = [:]
  /// The bytes of the tag files, by name.
  private(set) var tags: [String: [UInt8]] = [:]
  /// The paths of what is neither a folder nor a regular file: it is not opened, and no link is followed.
  private(set) var irregular: Set<String> = []
  /// What was not read, and why; sentences.
  private(set) var problems: [String] = []

  /// The largest tag file that is read, in bytes.
  static let maxTagFile = 64 << 20

  /// Reads a folder.
  init(folder path: String) { read(path, in: "") }

  /// Reads a tar archive whose files lie in one folder.
  ///
  /// - Parameter reader: the archive's reader.
  /// - Returns: the folder's name, and what lies in it.
  /// - Throws: `TarProblem`, ``ArchiveError``, or what the reader's source throws.
  static func read(_ reader: inout TarReader) throws -> (name: String, contents: BagContents) {
    var contents = BagContents()
    var folder: String?
    while let entry = try reader.next() {
      let parts = entry.path.split(separator: "/", maxSplits: 1)
      guard folder ?? String(parts[0]) == parts[0] else { throw ArchiveError.severalFolders }
      folder = String(parts[0])
      if entry.isFolder { continue }
      guard parts.count == 2 else { throw ArchiveError.severalFolders }
      try contents.take(String(parts[1]), of: entry, &reader)
    }
    guard let folder else { throw ArchiveError.empty }
    return (folder, contents)
  }

  private init() {}

  private mutating func take(_ path: String, of entry: TarReader.Entry, _ reader: inout TarReader) throws {
    let isTag = !path.contains("/")
    var (hash, held) = (SHA256(), [UInt8]())
    if isTag, entry.size > Self.maxTagFile { throw ArchiveError.largeTagFile(path) }
    while case let bytes = try reader.read(upTo: 1 << 16), !bytes.isEmpty {
      hash.update(bytes)
      if isTag { held += bytes }
    }
    files[path] = .whole(bytes: entry.size, sha256: hash.digest().description)
    if isTag { tags[path] = held }
  }

  private mutating func read(_ path: String, in folder: String) {
    do throws(FileError) {
      for name in try Folder.names(in: folder.isEmpty ? path : "\(path)/\(folder)") {
        let file = folder.isEmpty ? name : "\(folder)/\(name)"
        switch Folder.kind(of: "\(path)/\(file)") {
        case .folder: read(path, in: file)
        case .regular, nil: read(path, file)
        case .link: refuse(file, "a symbolic link")
        case .other: refuse(file, "a pipe, a socket or a device")
        }
      }
    } catch {
      problems.append(error.description)
    }
  }

  private mutating func read(_ path: String, _ file: String) {
    do throws(FileError) {
      let opened = try File(inside: path, file)
      if file.contains("/") {
        let (bytes, sha256) = try opened.digest()
        files[file] = .whole(bytes: bytes, sha256: sha256)
      } else {
        let bytes = try opened.contents(limit: Self.maxTagFile)
        tags[file] = bytes
        files[file] = .whole(bytes: bytes.count, sha256: SHA256.digest(of: bytes).description)
      }
    } catch {
      files[file] = .failed(error)
    }
  }

  private mutating func refuse(_ file: String, _ what: String) {
    irregular.insert(file)
    problems.append("“\(file)” is \(what), not a regular file, and was not read")
  }
}
