package import Basics

/// A bag as one tar archive: its files in a folder, by path, so that equal bags give equal bytes.
package struct BagArchive: Sendable {
  /// A file of the archive.
  struct Entry: Sendable {
    /// Its path in the bag.
    let path: String
    /// Its bytes, or where they are.
    let piece: Body.Piece
    /// The SHA-256 of its bytes.
    let sha256: String
  }

  /// The media type.
  static let type = "application/x-tar"

  /// The name of the folder in the archive.
  package let name: String
  /// The files, by path.
  private(set) var entries: [Entry]

  /// How many files there are.
  package var files: Int { entries.count }

  init(name: String, _ entries: [Entry]) {
    self.name = name
    self.entries = entries.sorted { $0.path.precedes($1.path) }
  }

  /// The archive of a bundle, in the folder `TRIAL/`.
  ///
  /// - Throws: `FileError` for a file that cannot be read.
  package init(of bundle: Bundle) throws(FileError) {
    self.init(name: bundle.record.trial, try Self.entries(of: bundle))
  }

  /// The files of a bundle: its payload, and the tag files that its tag manifest lists.
  static func entries(of bundle: Bundle) throws(FileError) -> [Entry] {
    var entries: [Entry] = []
    for file in try bundle.archivedFiles() {
      let opened = try bundle.open(file.path)
      entries.append(
        Entry(
          path: file.path, piece: .file(folder: bundle.path, path: file.path, size: try opened.size()),
          sha256: file.sha256))
    }
    return entries
  }

  /// The archive with the bag's manifest signed.
  ///
  /// The signature and the public key are tag files that the tag manifest lists, in place of earlier ones.
  package func signed(by key: SigningKey) throws(FileError) -> BagArchive {
    guard let manifest = entries.first(where: { $0.path == Bag.manifestFile }) else {
      throw FileError("open", "\(name)/\(Bag.manifestFile)", code: FileError.damaged)
    }
    let bytes = try Body(pieces: [manifest.piece], type: Self.type).contents()
    let own = [Bag.signatureFile, Bag.keyFile, Bag.tagManifestFile]
    let added = [
      Entry(Bag.signatureFile, key.signature(of: bytes)), Entry(Bag.keyFile, Array(key.publicKey.pem.utf8)),
    ]
    let kept = entries.filter { !own.contains($0.path) } + added
    let tags = kept.filter { !$0.path.contains("/") }.map {
      PayloadDigest(path: $0.path, bytes: $0.piece.size, sha256: $0.sha256)
    }
    return BagArchive(name: name, kept + [Entry(Bag.tagManifestFile, Bag.manifest(tags))])
  }

  /// The bytes of the archive, in pieces.
  package var body: Body {
    var pieces: [Body.Piece] = []
    for entry in entries { pieces += self.pieces(of: entry) }
    return Body(pieces: pieces + [.bytes(TarHeader.end)], type: Self.type)
  }

  private func pieces(of entry: Entry) -> [Body.Piece] {
    let size = entry.piece.size
    return [
      .bytes(TarHeader.file("\(name)/\(entry.path)", size: size)), entry.piece,
      .bytes(TarHeader.padding(after: size)),
    ]
  }

  /// Passes the bytes of the archive on.
  ///
  /// - Throws: ``ArchiveError/changed(file:)`` for a file that is not the one of the manifest, `FileError`, or what `take`
  ///   throws.
  func write(_ take: ([UInt8]) throws -> Void) throws {
    for entry in entries {
      for piece in pieces(of: entry) {
        var reader = BodyReader(Body(pieces: [piece], type: Self.type))
        var hash = SHA256()
        while case let bytes = try reader.read(upTo: 1 << 16), !bytes.isEmpty {
          hash.update(bytes)
          try take(bytes)
        }
        if case .file = piece, hash.digest().description != entry.sha256.lowercased() {
          throw ArchiveError.changed(file: "\(name)/\(entry.path)")
        }
      }
    }
    try take(TarHeader.end)
  }
}

extension BagArchive.Entry {
  init(_ path: String, _ bytes: [UInt8]) {
    self.init(path: path, piece: .bytes(bytes), sha256: SHA256.digest(of: bytes).description)
  }
}

extension Bundle {
  /// Checks that the bundle is complete and unchanged.
  ///
  /// - Throws: ``ArchiveError/damaged(path:problem:)``.
  package func requireWhole() throws(ArchiveError) {
    if let problem = verify().first { throw .damaged(path: path, problem: problem) }
  }

  /// The files that an archive or a copy of the bundle has, with their digests: the payload, the tag files, by path.
  ///
  /// - Throws: `FileError`.
  package func archivedFiles() throws(FileError) -> [ListedFile] {
    let list = try open(Bag.tagManifestFile).contents(limit: BagContents.maxTagFile)
    let tags = try listedFiles(in: Bag.tagManifestFile)
    let own = ListedFile(path: Bag.tagManifestFile, sha256: SHA256.digest(of: list).description)
    return (try listedFiles() + tags + [own]).sorted { $0.path.precedes($1.path) }
  }
}

extension BagArchive {
  /// Writes the archive to a new file.
  ///
  /// It gets its name when it is complete and on the disk; nothing is left of one that could not be completed.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - form: whether it is compressed and encrypted.
  ///   - recipients: who can read it, if it is encrypted.
  /// - Returns: its size in bytes.
  /// - Throws: ``ArchiveError``, `FileError`, and `OutputFileError` for a name that was taken meanwhile.
  package func write(to file: OutputFile, _ form: ArchiveForm, for recipients: ArchiveRecipients) throws -> Int {
    try file.write { part in try write(to: part, form, recipients) }
  }

  private func write(to part: borrowing File, _ form: ArchiveForm, _ recipients: ArchiveRecipients) throws {
    var programs: [[String]] = []
    if form.isCompressed { programs.append(ArchiveForm.compressor) }
    if form.isEncrypted { programs.append(ArchiveForm.encryptor(recipients.keys, recipients.files)) }
    guard !programs.isEmpty else { return try write { try part.write($0) } }
    do {
      let chain = try ProgramChain(programs, to: part.path)
      try write { try chain.write($0) }
      try chain.finish()
    } catch let failure as ProgramChain.Failure {
      throw ArchiveError(failure)
    }
  }
}
