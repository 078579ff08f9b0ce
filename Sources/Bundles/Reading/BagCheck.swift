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
