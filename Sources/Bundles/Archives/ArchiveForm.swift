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
