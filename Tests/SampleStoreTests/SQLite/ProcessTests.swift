import Dispatch
import Foundation
import Quantities
import TestSupport
import Testing

@testable import SampleStore

/// How often a process is killed while it saves; Scripts/torture store asks for more.
private let kills = ProcessInfo.processInfo.environment["STATION_STORE_KILLS"].flatMap { Int($0) } ?? 8
private let seed = ProcessInfo.processInfo.environment["STATION_STORE_SEED"].flatMap { UInt64($0) } ?? 20_261_121

@Suite("A store that several processes use")
struct ProcessTests {
  /// The samples of a batch, which every process makes alike.
  static func batch(_ writer: Int, _ number: Int, count: Int) throws -> [QuantitySample] {
    try (0..<count).map { place in
      let identifier = UUID(high: UInt64(writer), low: UInt64(number * 1_000_000 + place))
      return try .make(
        Double(60 + place % 40), from: .second(Double(number * count + place)),
        by: Source(name: "writer \(writer)", bundleIdentifier: "org.example.writer\(writer)"), uuid: identifier)
    }
  }

  /// Saves batches until it is done or killed, and notes each one after it was saved.
  static func work(_ path: String, writer: Int, batches: Int, count: Int) async throws {
    let store = try await SampleStore.sqlite(path)
    for number in 0..<batches {
      try await store.save(batch(writer, number, count: count), receipt: "\(writer)/\(number)")
      let notes = try FileHandle(forWritingTo: URL(filePath: "\(path).notes\(writer)"))
      try notes.seekToEnd()
      try notes.write(contentsOf: Data("\(number)\n".utf8))
      try notes.close()
    }
  }

  /// How many batches a writer has noted.
  static func notes(_ path: String, writer: Int) throws -> Int {
    try String(contentsOfFile: "\(path).notes\(writer)", encoding: .utf8).split(separator: "\n").count
  }

  static func prepare(_ path: String, writers: Int) throws {
    for writer in 0..<writers { try Data().write(to: URL(filePath: "\(path).notes\(writer)")) }
  }

  @Test("Two processes that save at once lose nothing, and wait for each other")
  func together() async throws {
    let folder = try ScratchFolder()
    let path = folder["station.sqlite"]
    try Self.prepare(path, writers: 3)
    async let first = #expect(processExitsWith: .success) { [path = path as String] in
      try await Self.work(path, writer: 0, batches: 40, count: 50)
    }
    async let second = #expect(processExitsWith: .success) { [path = path as String] in
      try await Self.work(path, writer: 1, batches: 40, count: 50)
    }
    try await Self.work(path, writer: 2, batches: 40, count: 50)
    _ = await (first, second)
    let store = try await SampleStore.sqlite(path)
    let saved = try await store.samples(of: .heartRate)
    #expect(saved.count == 3 * 40 * 50 && Set(saved.map(\.uuid)).count == saved.count)
    // The changes come in one order for all, each once.
    #expect(try await Set(store.changes(of: .heartRate).added.map(\.uuid)) == Set(saved.map(\.uuid)))
  }

  @Test("A process that opens a store twice keeps its locks, and what it saved")
  func twice() async throws {
    let folder = try ScratchFolder()
    let path = folder["station.sqlite"]
    let store = try await SampleStore.sqlite(path)
    try await store.save(Self.batch(0, 0, count: 10))
    // The second opening looks at the file, and another process closes it as its last user would.
    let again = try await SampleStore.sqlite(path)
    try await again.close()
    await #expect(processExitsWith: .success) { [path = path as String] in
      let other = try await SampleStore.sqlite(path)
      _ = try await other.samples(of: .heartRate)
      try await other.close()
    }
    try await store.save(Self.batch(0, 1, count: 10))
    await #expect(processExitsWith: .success) { [path = path as String] in
      let third = try await SampleStore.sqlite(path)
      let count = try await third.samples(of: .heartRate).count
      try await third.close()
      guard count == 20 else { preconditionFailure("\(count) samples") }
    }
  }

  @Test("A process that is killed while it saves leaves whole batches, and every one that it was told of")
  func killed() async throws {
    var generator = SeededGenerator(seed: seed)
    for kill in 0..<kills {
      let folder = try ScratchFolder()
      let path = folder["station.sqlite"]
      try Self.prepare(path, writers: 1)
      let delay = Int.random(in: 0...(kill % 2 == 0 ? 60 : 400), using: &generator)
      await #expect(processExitsWith: .signal(SIGKILL), "seed \(seed), kill \(kill)") {
        [path = path as String, delay = delay as Int] in
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(delay)) { Glibc.kill(getpid(), SIGKILL) }
        try await Self.work(path, writer: 0, batches: .max, count: 200)
      }
      let store = try await SampleStore.sqlite(path)
      let saved = Set(try await store.samples(of: .heartRate).map(\.uuid))
      let noted = try Self.notes(path, writer: 0)
      // One more may have been saved than the process had time to note.
      let batches = saved.count / 200
      #expect(saved.count % 200 == 0 && (noted...(noted + 1)).contains(batches), "seed \(seed), kill \(kill)")
      for number in 0..<batches {
        #expect(try await store.hasReceipt("0/\(number)"))
        #expect(try Self.batch(0, number, count: 200).allSatisfy { saved.contains($0.uuid) })
      }
      #expect(try SQLiteDatabase(path, .read).prepare("PRAGMA integrity_check").firstText() == "ok")
      // The same work goes on where it stopped.
      #expect(try await store.save(Self.batch(0, batches, count: 200), receipt: "0/\(batches)").added == 200)
    }
  }

  @Test("An observer sees what another process saves")
  func observed() async throws {
    let folder = try ScratchFolder()
    let path = folder["station.sqlite"]
    try Self.prepare(path, writers: 1)
    let store = try await SampleStore.sqlite(path)
    var updates = try await store.updates(of: [.quantity(.heartRate)]).makeAsyncIterator()
    var known = try await store.changes(of: .heartRate).anchor
    async let writer = #expect(processExitsWith: .success) { [path = path as String] in
      try await Self.work(path, writer: 0, batches: 5, count: 10)
    }
    var count = 0
    while count < 50 {
      #expect(try await updates.next() == [.quantity(.heartRate)])
      let changes = try await store.changes(of: .heartRate, since: known)
      count += changes.added.count
      known = changes.anchor
    }
    _ = await writer
    #expect(count == 50)
  }

  @Test("An observer of another connection is told of every change")
  func told() async throws {
    let folder = try ScratchFolder()
    let path = folder["station.sqlite"]
    let (writer, reader) = (try await SampleStore.sqlite(path), try await SampleStore.sqlite(path))
    try await expectUpdates(from: writer, to: reader)
  }

  @Test("A commit whose writer had no time to tell is seen as well")
  func untold() async throws {
    let folder = try ScratchFolder()
    let path = folder["station.sqlite"]
    let store = try await SampleStore.sqlite(path)
    try await store.save([.make(60)])
    var updates = try await store.updates(of: [.quantity(.heartRate)]).makeAsyncIterator()
    // A row by SQLite alone, without the touch that follows our own commits.
    try SQLiteDatabase(path, .write).execute(
      """
      INSERT INTO samples SELECT site, type, started + 1, lasting, x'000102030405060708090a0b0c0d0e0f', value, source,
        device, metadata, beats, change + 1 FROM samples
      """)
    #expect(try await updates.next() == [.quantity(.heartRate)])
  }
}

extension SQLiteStatement {
  fileprivate func firstText() throws -> String? { try step() ? text(0) : nil }
}
