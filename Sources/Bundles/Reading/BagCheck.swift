import Basics

/// Checks a bag against BagIt 1.0 (RFC 8493): every file listed, every listed file there, every digest right.
struct BagCheck {
  private let contents: BagContents
  private(set) var problems: [String] = []
  /// Whether everything in it is a folder or a regular file.
  var isRegular: Bool { contents.irregular.isEmpty }
  /// What the payload manifest lists, by path.
  private(set) var payload: [String: String] = [:]

  init(_ path: String) { self.init(BagContents(folder: path)) }

  init(_ contents: BagContents) {
    self.contents = contents
    checkDeclaration()
    payload = manifest(Bag.manifestFile)
    let tags = manifest(Bag.tagManifestFile)
    problems += contents.problems
    let bytes = check(payload, Bag.manifestFile)
    _ = check(tags, Bag.tagManifestFile)
    let files = contents.files.keys.sorted { $0.precedes($1) }
    for file in files where file.hasPrefix("data/") && payload[file] == nil {
      problems.append("“\(file)” is not listed in \(Bag.manifestFile)")
    }
    for file in files where !file.hasPrefix("data/") && tags[file] == nil && file != Bag.tagManifestFile {
      problems.append("“\(file)” is not listed in \(Bag.tagManifestFile)")
    }
    if isRegular { checkInformation(bytes: bytes) }
  }

  private mutating func text(_ name: String) -> String? {
    if let bytes = contents.tags[name] {
      if let text = String(validating: bytes, as: UTF8.self) { return text }
      problems.append("“\(name)” is not UTF-8 text")
    } else if case .failed(let error) = contents.files[name] {
      problems.append(error.description)
    } else if !contents.irregular.contains(name) {
      problems.append("“\(name)” is missing")
    }
    return nil
  }

  private mutating func checkDeclaration() {
    guard let text = text(Bag.declarationFile), text != Bag.declaration else { return }
    problems.append("“\(Bag.declarationFile)” does not declare BagIt 1.0 in UTF-8")
  }

  private mutating func manifest(_ name: String) -> [String: String] {
    guard let text = text(name) else { return [:] }
    var entries: [String: String] = [:]
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: true).enumerated() {
      let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
      let file = parts.count == 2 ? Bag.decoded(String(parts[1].drop { $0 == " " || $0 == "*" })) : ""
      let steps = file.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0].utf8.count == 64, !steps.contains(""), !steps.contains(".."),
        !steps.contains(".")
      else {
        problems.append("line \(index + 1) of \(name) does not name a digest and a file inside the bundle")
        continue
      }
      if entries.updateValue(parts[0].lowercased(), forKey: file) != nil {
        problems.append("\(name) lists “\(file)” twice")
      }
    }
    return entries
  }

  private mutating func check(_ manifest: [String: String], _ name: String) -> Int {
    var total = 0
    for file in manifest.keys.sorted() {
      switch contents.files[file] {
      case .whole(let bytes, let sha256):
        total += bytes
        if sha256 != manifest[file] { problems.append("“\(file)” has changed: its SHA-256 is not the one in \(name)") }
      case .failed(let error): problems.append(error.description)
      // What is not a regular file has been named already.
      case nil where !isRegular: continue
      case nil: problems.append("“\(file)”, which \(name) lists, is missing")
      }
    }
    return total
  }

  private mutating func checkInformation(bytes: Int) {
    guard let text = text(Bag.informationFile) else { return }
    let oxum = text.split(separator: "\n").first { $0.hasPrefix("Payload-Oxum:") }?
      .dropFirst("Payload-Oxum:".count).drop { $0 == " " }
    let counted = "\(bytes).\(payload.count)"
    guard let oxum else { return problems.append("“\(Bag.informationFile)” has no Payload-Oxum") }
    if oxum != counted { problems.append("Payload-Oxum says \(oxum), and the payload has \(counted)") }
  }
}

/// What lies in a bag, which is a folder or an archive.
struct BagContents {
  /// A file of a bag.
  enum Found: Hashable {
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
