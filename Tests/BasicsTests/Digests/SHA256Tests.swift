import Basics
import TestSupport
import Testing

@Suite("SHA-256")
struct SHA256Tests {
  /// FIPS 180-2, appendix B, and NIST's example of the empty message.
  static let published: [(message: Content, digest: String)] = [
    (Content(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    (Content("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      Content("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      Content([UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000), "a million times “a”"),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ]

  @Test("The published examples", arguments: published)
  func examples(message: Content, digest: String) {
    #expect(SHA256.digest(of: message.bytes).description == digest)
    #expect(SHA256.digest(of: message.bytes).bytes.count == 32)
  }

  @Test("Pieces give the digest of the whole, and more may follow a digest", arguments: [7, 55, 56, 63, 64, 65, 1000])
  func pieces(size: Int) {
    let message = (0..<3000).map { UInt8(truncatingIfNeeded: $0 * $0) }
    var hash = SHA256()
    for start in stride(from: 0, to: message.count, by: size) {
      let end = min(start + size, message.count)
      hash.update(Array(message[start..<end]))
      #expect(hash.digest() == SHA256.digest(of: Array(message[..<end])))
    }
  }

  @Test("A copy goes on by itself")
  func copies() {
    var first = SHA256()
    first.update(Array("ab".utf8))
    var second = first
    first.update(Array("c".utf8))
    second.update(Array("d".utf8))
    #expect(first.digest() == SHA256.digest(of: Array("abc".utf8)))
    #expect(second.digest() == SHA256.digest(of: Array("abd".utf8)))
  }

  @Test("sha256sum agrees about every length around a block's")
  func coreutils() throws {
    let scratch = try ScratchFolder()
    let lengths = Array(0...130)
    for length in lengths {
      try File.create(scratch["\(length)"], (0..<length).map { UInt8(truncatingIfNeeded: $0 * 7 + length) })
    }
    let sums = try Program.run("sha256sum", lengths.map { scratch["\($0)"] })
    let digests = sums.output.split(separator: "\n").map { String($0.prefix(64)) }
    #expect(try digests == lengths.map { SHA256.digest(of: try File.contents(of: scratch["\($0)"])).description })
  }
}
