import Basics

/// Checks a folder against BagIt 1.0 (RFC 8493): every file listed, every listed file there, every digest right.
struct BagCheck {
  private let path: String
  private(set) var problems: [String] = []
  /// Whether everything in it is a folder or a regular file: nothing else is opened, and no link is followed.
  private(set) var isRegular = true
  /// What the payload manifest lists, by path.
  private(set) var payload: [String: String] = [:]

  /// The largest tag file that is read, in bytes.
  private static let largestTagFile = 64 << 20

  init(_ path: String) {
    self.path = path
    checkDeclaration()
    payload = manifest(Bag.manifestFile)
    let tags = manifest(Bag.tagManifestFile)
    let files = self.files()
    let bytes = check(payload, Bag.manifestFile)
    _ = check(tags, Bag.tagManifestFile)
    for file in files where file.hasPrefix("data/") && payload[file] == nil {
      problems.append("“\(file)” is not listed in \(Bag.manifestFile)")
    }
    for file in files where !file.hasPrefix("data/") && tags[file] == nil && file != Bag.tagManifestFile {
      problems.append("“\(file)” is not listed in \(Bag.tagManifestFile)")
    }
    if isRegular { checkInformation(bytes: bytes) }
  }

  private mutating func text(_ name: String) -> String? {
    do {
      let bytes = try File(inside: path, name).contents(limit: Self.largestTagFile)
      if let text = String(validating: bytes, as: UTF8.self) { return text }
      problems.append("“\(name)” is not UTF-8 text")
    } catch {
      if error.code == FileError.irregular { return nil }
      problems.append(error.isMissing ? "“\(name)” is missing" : error.description)
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
      do {
        let (bytes, sha256) = try File(inside: path, file).digest()
        total += bytes
        if sha256 != manifest[file] { problems.append("“\(file)” has changed: its SHA-256 is not the one in \(name)") }
      } catch {
        // What is not a regular file has been named already.
        if !isRegular, error.code == FileError.irregular || error.isMissing { continue }
        problems.append(error.isMissing ? "“\(file)”, which \(name) lists, is missing" : error.description)
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

  private mutating func refuse(_ file: String, _ what: String) {
    isRegular = false
    problems.append("“\(file)” is \(what), not a regular file, and was not read")
  }

  // Every file under the bundle, by its path inside it; what is neither a file nor a folder is a problem.
  private mutating func files(in folder: String = "") -> [String] {
    var files: [String] = []
    do {
      for name in try Folder.names(in: folder.isEmpty ? path : "\(path)/\(folder)") {
        let file = folder.isEmpty ? name : "\(folder)/\(name)"
        switch Folder.kind(of: "\(path)/\(file)") {
        case .folder: files += self.files(in: file)
        case .regular, nil: files.append(file)
        case .link: refuse(file, "a symbolic link")
        case .other: refuse(file, "a pipe, a socket or a device")
        }
      }
    } catch {
      problems.append(error.description)
    }
    return files
  }
}
