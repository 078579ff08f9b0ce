import Basics

/// The tag files of a BagIt 1.0 bag (RFC 8493) with SHA-256 manifests.
struct Bag {
  /// The payload, in any order.
  let payload: [PayloadDigest]

  /// Lines of `bag-info.txt` before the payload's size, in their order; labels and values are one line each.
  let labels: [(label: String, value: String)]

  static let declaration = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
  static let declarationFile = "bagit.txt"
  static let informationFile = "bag-info.txt"
  static let manifestFile = "manifest-sha256.txt"
  static let signatureFile = "signature.ed25519"
  static let keyFile = "signing-key.pem"
  static let tagManifestFile = "tagmanifest-sha256.txt"

  /// The tag files and what they hold, each before those that list it.
  var tagFiles: [(name: String, bytes: [UInt8])] {
    let tags = [
      (Self.declarationFile, Array(Self.declaration.utf8)), (Self.informationFile, Array(information.utf8)),
      (Self.manifestFile, Self.manifest(payload)),
    ]
    let digests = tags.map { name, bytes in
      PayloadDigest(path: name, bytes: bytes.count, sha256: SHA256.digest(of: bytes).description)
    }
    return tags + [(Self.tagManifestFile, Self.manifest(digests))]
  }

  /// `Payload-Oxum`: how many bytes in how many files.
  static func oxum(of payload: [PayloadDigest]) -> String {
    "\(payload.reduce(0) { $0 + $1.bytes }).\(payload.count)"
  }

  private var information: String {
    let lines = labels + [("Payload-Oxum", Self.oxum(of: payload))]
    return lines.map { "\($0.label): \($0.value)\n" }.joined()
  }

  // Sorted by the bytes of the path as it is written.
  static func manifest(_ files: [PayloadDigest]) -> [UInt8] {
    files.map { (path: encoded($0.path), sha256: $0.sha256) }
      .sorted { $0.path.precedes($1.path) }
      .flatMap { Array("\($0.sha256)  \($0.path)\n".utf8) }
  }

  /// A path as a manifest writes it: CR, LF and `%` percent-encoded, and these only (RFC 8493, 2.1.3).
  static func encoded(_ path: String) -> String {
    String(
      decoding: path.utf8.flatMap { byte -> [UInt8] in
        switch byte {
        case UInt8(ascii: "\r"): Array("%0D".utf8)
        case UInt8(ascii: "\n"): Array("%0A".utf8)
        case UInt8(ascii: "%"): Array("%25".utf8)
        default: [byte]
        }
      }, as: UTF8.self)
  }

  /// The path that a manifest's line means.
  static func decoded(_ path: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(path.utf8)[...]
    while let byte = rest.popFirst() {
      let code = byte == UInt8(ascii: "%") ? String(decoding: rest.prefix(2), as: UTF8.self).uppercased() : ""
      let meant: [String: UInt8] = ["0D": 0x0D, "0A": 0x0A, "25": 0x25]
      if let character = meant[code] {
        bytes.append(character)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
