import Foundation
import Glibc
import Quantities
import TestSupport
import Testing

@testable import SampleStore

@Suite("A store that another process holds")
struct WaitingTests {
  let folder: ScratchFolder
  let path: String

  init() throws {
    folder = try ScratchFolder()
    path = folder["station.sqlite"]
  }

  @Test("Who replaces a store is named to whoever waits, and is not waited for without end")
  func replaced() async throws {
    let holder = Process()
    holder.executableURL = URL(filePath: "/usr/bin/flock")
    let ready = Pipe()
    // Without a fork: what is left of it would hold the pipes of tests that run beside this one.
    holder.arguments = ["--no-fork", "\(path).lock", "sh", "-c", "echo held; exec sleep 600"]
    holder.standardOutput = ready
    try holder.run()
    defer {
      kill(holder.processIdentifier, SIGKILL)
      holder.waitUntilExit()
    }
    _ = try ready.fileHandleForReading.read(upToCount: 5)
    let told = Gathered<String>()
    let patience = StorePatience(limit: .milliseconds(50), notice: .zero) { told.add($0) }
    let text = try #require(await refusal { _ = try await SampleStore.sqlite(path, patience: patience) })
    #expect(text.contains("process \(holder.processIdentifier) ("), "\(text)")
    #expect(text.contains(") has held its lock"), "\(text)")
    #expect(told.values.count == 1 && told.values[0].contains("process \(holder.processIdentifier)"), "\(told.values)")
    // A replacement does not wait.
    let replacement = await refusal { _ = try await SampleStore.replace(path) { _ in } }
    #expect(replacement?.contains("process \(holder.processIdentifier)") == true, "\(replacement ?? "")")
  }

  @Test("Who writes is named to whoever waits, and is not waited for without end")
  func written() async throws {
    let first = try await SampleStore.sqlite(path)
    try await first.save([.make(60)])
    // Not left to whichever thread lets go of it last: who closes a store holds it for a moment, and would be waited for.
    try await first.close()
    let writer = try SQLiteDatabase(path, .write)
    try writer.execute("BEGIN IMMEDIATE")
    let told = Gathered<String>()
    let patience = StorePatience(limit: .milliseconds(50), notice: .zero) { told.add($0) }
    let store = try await SampleStore.sqlite(path, patience: patience)
    #expect(told.values.isEmpty, "to open it, nothing is waited for: \(told.values)")
    let text = try #require(await refusal { try await store.save([.make(61)]) })
    #expect(text.hasSuffix("has been writing for long; end it, or try again"), "\(text)")
    #expect(told.values.count == 1, "\(told.values)")
    try writer.execute("ROLLBACK")
    try await store.save([.make(61)])
  }

  @Test("A lock that is refused closes its own descriptor, and never one that another thread has opened since")
  func descriptors() async throws {
    let holder = try SQLiteLock(path, for: .user)
    let path = path
    let own = folder["own"]
    try Data().write(to: URL(filePath: own))
    // Threads that open files get the numbers that were given back last.
    let stolen = await withTaskGroup { group in
      for _ in 0..<2 {
        group.addTask {
          for _ in 0..<5000 { _ = try? SQLiteLock(path, for: .replacer, StorePatience(limit: .zero)) }
          return 0
        }
        group.addTask {
          var stolen = 0
          for _ in 0..<5000 {
            var (before, after) = (stat(), stat())
            let descriptor = unsafe open(own, O_RDONLY | O_CLOEXEC)
            let isOpen = unsafe descriptor >= 0 && fstat(descriptor, &before) == 0
            sched_yield()
            let isSame = unsafe fstat(descriptor, &after) == 0
            if !isOpen || !isSame || before.st_dev != after.st_dev || before.st_ino != after.st_ino { stolen += 1 }
            if close(descriptor) != 0 { stolen += 1 }
          }
          return stolen
        }
      }
      return await group.reduce(0, +)
    }
    #expect(stolen == 0)
    withExtendedLifetime(holder) {}
  }

  @Test("A pipe as a store's lock is refused")
  func pipe() async throws {
    let made = unsafe mkfifo("\(path).lock", 0o600)
    #expect(made == 0)
    let text = await refusal { _ = try await SampleStore.sqlite(path) }
    #expect(text?.hasSuffix("is not an ordinary file; remove it") == true, "\(text ?? "")")
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("What is not an ordinary file is never replaced, nor another program's file behind a link")
  func devices() async throws {
    let files = FileManager.default
    let made = unsafe mkfifo(folder["pipe"], 0o600)
    #expect(made == 0)
    try files.createDirectory(atPath: folder["folder"], withIntermediateDirectories: false)
    try Data("a text".utf8).write(to: URL(filePath: folder["text"]))
    for (name, target) in [("null", "/dev/null"), ("other", folder["text"]), ("nothing", folder["none"])] {
      try files.createSymbolicLink(atPath: folder[name], withDestinationPath: target)
    }
    try files.createSymbolicLink(atPath: folder["pipe link"], withDestinationPath: folder["pipe"])
    let before = try files.contentsOfDirectory(atPath: folder.path).sorted()
    for name in ["pipe", "folder", "null", "other", "nothing", "pipe link"] {
      let text = await refusal { _ = try await SampleStore.replace(folder[name]) { try await $0.save([.make(70)]) } }
      #expect(text?.contains("cannot open the store") == true, "\(name): \(text ?? "replaced")")
    }
    #expect(try files.contentsOfDirectory(atPath: folder.path).sorted() == before)
    #expect(try String(contentsOfFile: folder["text"], encoding: .utf8) == "a text")
    // A file that is no database stands in the way under its own name only when nobody else made it.
    _ = try await SampleStore.replace(folder["text"]) { try await $0.save([.make(70)]) }
  }

  @Test("A new store and all that belongs to it is this user's alone")
  func permissions() async throws {
    let previous = umask(0o022)
    defer { umask(previous) }
    let store = try await SampleStore.sqlite(path)
    try await store.save([.make(60)])
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      var status = stat()
      let found = unsafe stat(folder[name], &status)
      #expect(found == 0)
      #expect(status.st_mode & 0o777 == 0o600, "\(name)")
    }
    try await store.close()
  }

  @Test("What is saved piece by piece is there as a whole, or not at all")
  func pieces() async throws {
    let store = try await SampleStore.sqlite(path)
    struct Broken: Error {}
    func save(_ receipt: String, breaksAt place: Int?) async throws -> SaveReport {
      try await store.save(receipt: receipt) {
        var next = 0
        return {
          defer { next += 1 }
          if next == place { throw Broken() }
          guard next < 40 else { return nil }
          return SamplePiece(
            samples: try (0..<1000).map {
              try .make(60, from: .second(Double(next * 1000 + $0)), uuid: .number(UInt64(next * 1000 + $0)))
            })
        }
      }
    }
    await #expect(throws: Broken.self) { () async throws in _ = try await save("one", breaksAt: 39) }
    #expect(try await store.contents().isEmpty)
    #expect(try await !store.hasReceipt("one"))
    #expect(try await save("one", breaksAt: nil).added == 40_000)
    #expect(try await save("one", breaksAt: 0).wasTaken)
    let saving = Task { try await save("two", breaksAt: nil) }
    saving.cancel()
    await #expect(throws: CancellationError.self) { () async throws in _ = try await saving.value }
  }
}
