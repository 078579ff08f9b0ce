import Basics

/// How an archive is stored, which the end of its name says: `.tar`, `.tar.zst`, `.tar.age`, `.tar.zst.age`.
package struct ArchiveForm: Hashable, Sendable {
  /// Whether it is compressed with Zstandard.
  package let isCompressed: Bool
  /// Whether it is encrypted with age.
  package let isEncrypted: Bool

  /// The form of a name; `nil` for any other name.
  package init?(name: String) {
    var rest = name[...]
    isEncrypted = rest.hasSuffix(".age")
    if isEncrypted { rest = rest.dropLast(4) }
    isCompressed = rest.hasSuffix(".zst")
    if isCompressed { rest = rest.dropLast(4) }
    guard rest.hasSuffix(".tar") else { return nil }
  }

  /// The names that archives can have.
  package static let endings = ".tar, .tar.zst, .tar.age or .tar.zst.age"

  /// The level is that of Zstandard's `-9`, on one thread, so that the bytes do not depend on the computer.
  static let compressor = ["zstd", "-q", "-c", "-9", "-T1", "--check"]
  static let decompressor = ["zstd", "-q", "-d", "-c"]

  /// The program that encrypts to recipients, and to those in files.
  static func encryptor(_ recipients: [String], _ files: [String]) -> [String] {
    ["age"] + recipients.flatMap { ["-r", $0] } + files.flatMap { ["-R", $0] }
  }

  /// The program that decrypts with the key in a file.
  static func decryptor(_ identity: String) -> [String] { ["age", "-d", "-i", identity] }
}

/// Those who can read an encrypted archive.
package struct ArchiveRecipients: Hashable, Sendable {
  /// Public keys, `age1…` or `ssh-…`.
  package var keys: [String]
  /// Files with public keys, one a line.
  var files: [String]

  package init(keys: [String] = [], files: [String] = []) { (self.keys, self.files) = (keys, files) }

  /// Whether there are none.
  package var isEmpty: Bool { keys.isEmpty && files.isEmpty }

  /// Whether a text is a public key, which may be an argument of a program.
  package static func isKey(_ text: String) -> Bool {
    let isPlain = text.unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) }
    return isPlain && (text.hasPrefix("age1") || text.hasPrefix("ssh-ed25519 ") || text.hasPrefix("ssh-rsa "))
  }
}

extension BagArchive {
  /// The archive of a session: a bag whose payload is a results folder with the session's record and its bundles.
  ///
  /// - Parameters:
  ///   - session: the session's identifier.
  ///   - results: the results folder.
  ///   - progress: is told how many bundles of how many have been checked.
  /// - Throws: ``BundleError``, ``ArchiveError`` for a session without bundles or with a damaged one, and `FileError`.
  package init(
    ofSession session: String, in results: ResultsFolder, progress: (_ done: Int, _ count: Int) -> Void
  ) throws {
    var record = try results.session(session)
    // A computer that stopped did not write every bundle down.
    record =
      try results.sessions(of: record.participant, in: record.studyProtocol.identifier)
      .first { $0.session == session } ?? record
    let names = record.performed.filter { $0.outcome != nil }.map(\.bundle)
    guard !names.isEmpty else { throw ArchiveError.noBundles(session: session) }
    var payload = [
      try Self.entry("data/\(ResultsFolder.sessionsName)/\(session).json", results.path(ofSession: session))
    ]
    for (index, name) in names.enumerated() {
      let folder = "data/\(Folder.name(of: results.bundlesFolder))/\(name)"
      let bundle = try Bundle(results.bundlePath(named: name))
      try bundle.requireWhole()
      payload += try Self.entries(of: bundle).map {
        Entry(path: "\(folder)/\($0.path)", piece: $0.piece, sha256: $0.sha256)
      }
      progress(index + 1, names.count)
    }
    let bag = Bag(
      payload: payload.map { PayloadDigest(path: $0.path, bytes: $0.piece.size, sha256: $0.sha256) },
      labels: [
        ("Bag-Software-Agent", "station"), ("Bagging-Date", String(record.startDate.description.prefix(10))),
        ("External-Identifier", session),
      ])
    self.init(name: session, payload + bag.tagFiles.map { Entry($0.name, $0.bytes) })
  }

  private static func entry(_ path: String, _ file: String) throws(FileError) -> Entry {
    Entry(path, try File.contents(of: file))
  }
}
