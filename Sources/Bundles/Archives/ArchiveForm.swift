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
  package var files: [String]

  /// Creates a list.
  package init(keys: [String] = [], files: [String] = []) { (self.keys, self.files) = (keys, files) }

  /// Whether there are none.
  package var isEmpty: Bool { keys.isEmpty && files.isEmpty }

  /// Whether a text is a public key, which may be an argument of a program.
  package static func isKey(_ text: String) -> Bool {
    let isPlain = text.unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) }
    return isPlain && (text.hasPrefix("age1") || text.hasPrefix("ssh-ed25519 ") || text.hasPrefix("ssh-rsa "))
  }
}

/// Why an archive cannot be written or read.
package enum ArchiveError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A session has no finished trial.
  case noBundles(session: String)
  /// A bundle is not complete and unchanged.
  case damaged(path: String, problem: String)
  /// A file is not the one of the manifest.
  case changed(file: String)
  /// A program that is needed is not installed.
  case missing(program: String)
  /// A program failed.
  case failed(program: String, reason: String)
  /// The archive is encrypted, and there is no key.
  case encrypted
  /// There are files beside the folder.
  case severalFolders
  /// There are no files.
  case empty
  /// A tag file is larger than any is.
  case largeTagFile(String)

  /// What is wrong, and what to do.
  package var description: String {
    switch self {
    case .noBundles(let session): "the session \(session.visible) has no finished trial to archive"
    case .damaged(let path, let problem):
      "“\(path.visible)” is not archived: \(problem); “station verify” lists all problems"
    case .changed(let file):
      "“\(file.visible)” is not what its bundle's manifest lists; “station verify” lists what has changed"
    case .missing(let program):
      "the program \(program) is missing; install the Debian package “\(program)”"
    case .failed(let program, let reason): "\(program) failed: \(reason.visible)"
    case .encrypted: "it is encrypted with age; name the file with your age key: --identity FILE"
    case .severalFolders: "it has more than the one folder of a bundle"
    case .empty: "it has no files"
    case .largeTagFile(let name): "“\(name.visible)” is larger than \(BagContents.maxTagFile >> 20) MiB"
    }
  }

  init(_ failure: ProgramChain.Failure) {
    switch failure {
    case .missing(let program): self = .missing(program: program)
    case .ended(let program, let reason): self = .failed(program: program, reason: reason)
    case .system(let error): self = .failed(program: error.path, reason: error.description)
    }
  }
}
