import Basics
import TestSupport
import Testing

@Suite("Zip and gzip archives")
struct ZipTests {
  private static let text = String(repeating: "the same line\n", count: 20_000)

  /// An archive with two members, made by `zip` with options.
  private func archive(_ scratch: ScratchFolder, _ options: [String] = []) throws -> String {
    try Folder.ensure(scratch["bag"])
    try File.create(scratch["bag/é.txt"], Array(Self.text.utf8))
    try File.create(scratch["bag/empty"], [])
    let made = try Program.run(
      "sh", ["-c", "cd \"$0\" && zip -q -X \"$@\" x.zip bag/é.txt bag/empty", scratch.path] + options)
    #expect(made.status == 0, "\(made.error)")
    return scratch["x.zip"]
  }

  private func members(_ path: String) throws -> [String: String] {
    let reader = try ZipReader(path)
    var members: [String: String] = [:]
    while try reader.next() {
      var content = try reader.peek(100)
      content = []
      while case let bytes = try reader.read(upTo: 1000), !bytes.isEmpty { content += bytes }
      members[reader.name] = String(decoding: content, as: UTF8.self)
    }
    return members
  }

  @Test("Members are unpacked whole, compressed and stored", arguments: [[], ["-0"]])
  func reads(options: [String]) throws {
    let scratch = try ScratchFolder()
    #expect(try members(archive(scratch, options)) == ["bag/é.txt": Self.text, "bag/empty": ""])
  }

  @Test("An encrypted member is refused, with its name")
  func encrypted() throws {
    let scratch = try ScratchFolder()
    let path = try archive(scratch, ["-P", "secret"])
    #expect(throws: ArchiveFault.encrypted(member: "bag/é.txt")) { try members(path) }
  }

  @Test("An archive that was cut, and another file, have no directory of members", arguments: [0.5, 0.99, 0])
  func cut(part: Double) throws {
    let scratch = try ScratchFolder()
    let bytes = try File.contents(of: archive(scratch, ["-0"]))
    try File.create(scratch["cut.zip"], Array(bytes.prefix(Int(Double(bytes.count) * part))))
    #expect(throws: ArchiveFault.damaged) { try members(scratch["cut.zip"]) }
  }

  @Test("A member with other bytes than its checksum says is refused")
  func altered() throws {
    let scratch = try ScratchFolder()
    var bytes = try File.contents(of: archive(scratch, ["-0"]))
    bytes[1000] ^= 1
    try File.create(scratch["altered.zip"], bytes)
    let fault = try #require(throws: ArchiveFault.self) { try members(scratch["altered.zip"]) }
    guard case .cannotUnpack("bag/é.txt", .some) = fault else {
      Issue.record("\(fault)")
      return
    }
  }

  @Test("Other programs unpack a gzip file, which is the same each time and for pieces of any size")
  func gzip() throws {
    let scratch = try ScratchFolder()
    let content = Array(Self.text.utf8)
    let whole = try Gzip.file(of: content)
    var gzip = try Gzip()
    var pieces: [UInt8] = []
    for start in stride(from: 0, to: content.count, by: 777) {
      pieces += gzip.take(Array(content[start..<min(content.count, start + 777)]))
    }
    pieces += gzip.finish()
    #expect(pieces == whole && whole.count < content.count / 50)
    // Without flags and a time.
    #expect(Array(whole.prefix(8)) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0])
    try File.create(scratch["x.gz"], whole)
    #expect(try Program.run("gzip", ["-dc", scratch["x.gz"]]).output == Self.text)
  }
}
