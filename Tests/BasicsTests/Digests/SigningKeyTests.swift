import Basics
import TestSupport
import Testing

@Suite("Ed25519 signatures")
struct SigningKeyTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func openssl(_ words: String) throws -> (status: Int, output: String) {
    let (status, output, error) = try Program.run("sh", ["-c", "cd \"$1\" && openssl \(words)", "sh", scratch.path])
    return (status, output + error)
  }

  @Test("OpenSSL verifies our signatures with our keys", arguments: ["", "a manifest\n"])
  func ours(message: String) throws {
    let key = SigningKey()
    try File.create(scratch["m"], Array(message.utf8))
    try File.create(scratch["s"], key.signature(of: Array(message.utf8)))
    try File.create(scratch["pub"], Array(key.publicKey.pem.utf8))
    try File.create(scratch["key"], Array(key.pem.utf8))
    // OpenSSL 3.0 cannot sign or verify an empty file.
    if !message.isEmpty {
      let verified = try openssl("pkeyutl -verify -pubin -inkey pub -rawin -in m -sigfile s")
      #expect(verified.status == 0 && verified.output.contains("Verified Successfully"), "\(verified)")
    }
    #expect(try openssl("pkey -in key -pubout").output == key.publicKey.pem)
  }

  @Test("We verify OpenSSL's signatures with OpenSSL's keys, and sign the same")
  func theirs() throws {
    let message = Array("another manifest\n".utf8)
    try File.create(scratch["m"], message)
    #expect(try openssl("genpkey -algorithm ed25519 -out key").status == 0)
    #expect(try openssl("pkey -in key -pubout -out pub").status == 0)
    #expect(try openssl("pkeyutl -sign -inkey key -rawin -in m -out s").status == 0)
    let signature = try File.contents(of: scratch["s"])
    let publicKey = try #require(VerifyingKey(pem: String(decoding: File.contents(of: scratch["pub"]), as: UTF8.self)))
    #expect(publicKey.accepts(signature, of: message))
    #expect(!publicKey.accepts(signature, of: message + [0]) && !publicKey.accepts([], of: message))
    let key = try #require(SigningKey(pem: String(decoding: File.contents(of: scratch["key"]), as: UTF8.self)))
    #expect(key.publicKey == publicKey && key.signature(of: message) == signature)
  }

  @Test(
    "The signatures of RFC 8032 are made",
    arguments: [
      (
        "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g", "",
        "5VZDAMNgrHKQhuLMgG6CioSHfx645dl02HPgZSJJAVVfuIIVkKM7rMYeOXAc+bRr0lv18FlbviRlUUFDjnoQCw=="
      ),
      (
        "MC4CAQAwBQYDK2VwBCIEIEzNCJso/5banbbDRuwRTg9bijGfNaumJNqM9u1PuKb7", "r",
        "kqAJqfDUyrhyDoILX2QlQKKye1QWUD+Ps3YiI+vbadoIWsHkPhWZbkWPNhPQ8R2MOHsurrQwKu6wDSkWErsMAA=="
      ),
    ])
  func vectors(key: String, message: String, signature: String) throws {
    let key = try #require(SigningKey(pem: "-----BEGIN PRIVATE KEY-----\n\(key)\n-----END PRIVATE KEY-----\n"))
    #expect(key.signature(of: Array(message.utf8)).base64 == signature)
  }

  @Test(
    "What is no such key is refused",
    arguments: [
      "", "-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----",
      "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----",
      "-----BEGIN PUBLIC KEY-----\n*\n-----END PUBLIC KEY-----", "-----END PUBLIC KEY-----\n-----BEGIN PUBLIC KEY-----",
    ])
  func refuses(text: String) {
    #expect(VerifyingKey(pem: text) == nil && SigningKey(pem: text.replacing("PUBLIC", with: "PRIVATE")) == nil)
  }
}
