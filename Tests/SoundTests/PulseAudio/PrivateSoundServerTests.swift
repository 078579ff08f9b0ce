import Basics
import Foundation
import Testing

@testable import Sound

@Suite("A private sound server", .timeLimit(.minutes(5)))
struct PrivateSoundServerTests {
  @Test("leaves neither process nor folder behind when it is stopped")
  func stop() throws {
    let server = try PrivateSoundServer()
    #expect(kill(server.processIdentifier, 0) == 0)
    #expect(Folder.exists("\(server.folder)/native"))
    #expect(try mode(server.folder) == 0o700)
    server.stop()
    server.stop()
    #expect(kill(server.processIdentifier, 0) != 0)
    #expect(!Folder.exists(server.folder))
  }

  @Test("two live beside each other")
  func two() async throws {
    let servers = [try PrivateSoundServer(), try PrivateSoundServer(sampleRate: 44_100)]
    let first = try await PulseSpeaker(server: servers[0].address, sink: "silent")
    let second = try await PulseSpeaker(server: servers[1].address, sink: "silent")
    #expect(first.description.sinkRate == 48_000 && second.description.sinkRate == 44_100)
    await first.close()
    await second.close()
  }

  @Test("ends when its owner is killed")
  func orphan() async throws {
    let result = await #expect(processExitsWith: .signal(SIGKILL), observing: [\.standardOutputContent]) {
      let server = try PrivateSoundServer()
      print("folder:\(server.folder):")
      fflush(nil)
      kill(getpid(), SIGKILL)
    }
    let folder = try folder(in: try #require(result).standardOutputContent)
    defer { try? Folder.removeTree(folder) }
    waitForEnd(of: "\(folder)/native")
    #expect(connect("\(folder)/native") == nil)
  }

  @Test(
    "the next server clears the folder of an owner that ended without a word",
    arguments: [true, false])
  func abandoned(killed: Bool) async throws {
    let left: String
    if killed {
      let result = await #expect(processExitsWith: .signal(SIGKILL), observing: [\.standardOutputContent]) {
        let server = try PrivateSoundServer()
        print("folder:\(server.folder):")
        fflush(nil)
        kill(getpid(), SIGKILL)
      }
      left = try folder(in: try #require(result).standardOutputContent)
    } else {
      let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
        let server = try PrivateSoundServer()
        print("folder:\(server.folder):")
        withExtendedLifetime(server) { exit(0) }
      }
      left = try folder(in: try #require(result).standardOutputContent)
    }
    waitForEnd(of: "\(left)/native")
    let living = try PrivateSoundServer()
    let next = try PrivateSoundServer()
    #expect(!Folder.exists(left))
    #expect(Folder.exists(living.folder) && Folder.exists(next.folder))
  }

  /// A process that cannot be: the system's numbers end before it.
  private static let nobody = 4_194_304

  @Test(
    "a folder that nobody claimed is cleared when its owner has ended, it is old, and it holds nothing else",
    arguments: [
      (owner: "\(nobody)-", names: [String](), age: 60, isCleared: true),
      ("\(nobody)-", [".claim"], 60, true), ("\(nobody)-", [], 0, false), ("\(nobody)-", ["notes.txt"], 60, false),
      // The owner was stopped before it could claim the folder.
      ("\(getpid())-", [], 60, false),
      // Another program's folder may be called so.
      ("", [], 60, false), ("", [".claim"], 60, false), ("", ["claim"], 60, false), ("x-", [], 60, false),
      // Nor is a lock that is free a proof, without our words in it.
      ("\(nobody)-", ["claim"], 60, false),
    ])
  func unclaimed(owner: String, names: [String], age: Int, isCleared: Bool) throws {
    let place = URL(fileURLWithPath: try PrivateSoundServer().folder).deletingLastPathComponent().path
    var template = Array("\(place)/station-\(owner)XXXXXX".utf8CString)
    try #require(unsafe mkdtemp(&template) != nil)
    let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer { try? Folder.removeTree(path) }
    for name in names { try File("\(path)/\(name)", .create).write([1]) }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: Double(-age))], ofItemAtPath: path)
    _ = try PrivateSoundServer()
    #expect(Folder.exists(path) == !isCleared)
  }

  @Test("what is left half removed, with its claim, is cleared by the next start")
  func halfRemoved() throws {
    let folder = try TemporaryFolder()
    let path = folder.path
    try Folder.create("\(path)/.config")
    try File("\(path)/.config/cookie", .create).write([1])
    _ = try PrivateSoundServer()
    #expect(Folder.exists(path), "its owner lives")
    withExtendedLifetime(folder) {}
    let mark = try File.contents(of: "\(path)/claim")
    try Folder.removeFile("\(path)/claim")
    try File("\(path)/claim", .create).write(mark)
    _ = try PrivateSoundServer()
    #expect(!Folder.exists(path))
  }

  /// What a child said between colons after `folder`.
  private func folder(in output: [UInt8]) throws -> String {
    let parts = String(decoding: output, as: UTF8.self).split(separator: ":")
    return String(try #require(parts.drop { !$0.hasSuffix("folder") }.dropFirst().first))
  }

  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require((attributes[.posixPermissions] as? NSNumber)?.intValue)
  }

  /// Reads from the server until it hangs up: events, not time.
  private func waitForEnd(of socket: String) {
    guard let descriptor = connect(socket) else { return }
    var byte: UInt8 = 0
    while unsafe read(descriptor, &byte, 1) == 1 {}
    close(descriptor)
  }

  private func connect(_ path: String) -> Int32? {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe Glibc.connect(descriptor, generic, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if result == 0 { return descriptor }
    close(descriptor)
    return nil
  }
}
