import Basics
import SampleStore
import Synchronization
import TestSupport
import Testing

@testable import Laboratory

@Suite("The outbox")
struct OutboxTests {
  private static let now = WallTime(milliseconds: 1_763_636_911_250)
  private static let destination = OutboxDestination(address: "https://receiver.example.org", form: "bundle")

  private func entries(_ names: String...) -> [(trial: String, path: String)] { names.map { ($0, "bundles/\($0)") } }

  private func item(_ trial: String, in outbox: Outbox) async throws -> OutboxItem? {
    let found = Mutex<OutboxItem?>(nil)
    try await outbox.forEach(OutboxSelection(trials: [trial], states: Set(OutboxItem.State.allCases))) { item in
      found.withLock { $0 = item }
      return true
    }
    return found.withLock { $0 }
  }

  @Test("A bundle is in the outbox once for each destination, and outlives the process")
  func once() async throws {
    let scratch = try ScratchFolder()
    let outbox = try await Outbox.open(scratch["station.sqlite"])
    #expect(try await outbox.add(entries("a", "b"), for: Self.destination, at: Self.now) == 2)
    #expect(try await outbox.add(entries("b", "c"), for: Self.destination, at: Self.now) == 1)
    let other = OutboxDestination(address: "/share", form: "folder")
    #expect(try await outbox.add(entries("a"), for: other, at: Self.now) == 1)
    await outbox.close()
    let again = try await Outbox.open(scratch["station.sqlite"])
    #expect(try await again.counts().map(\.waiting) == [1, 3])
  }

  @Test("The bundle that is due first comes first, and one that was removed meanwhile stays away")
  func order() async throws {
    let scratch = try ScratchFolder()
    let outbox = try await Outbox.open(scratch["station.sqlite"])
    try await outbox.add(entries("b", "a"), for: Self.destination, at: Self.now)
    var first = try #require(try await outbox.next(for: Self.destination))
    #expect(first.key.trial == "a")
    first.due = Self.now.advanced(by: .seconds(5))
    let hold = OutboxHold(failures: 2, until: first.due, isRequested: false)
    try await outbox.record(first, hold: hold)
    #expect(try await outbox.hold(of: Self.destination) == hold)
    let second = try #require(try await outbox.next(for: Self.destination))
    #expect(second.key.trial == "b")
    #expect(try await outbox.forget(OutboxSelection(trials: ["b"], states: [.waiting])) == 1)
    try await outbox.record(second, hold: nil)
    #expect(try await item("b", in: outbox) == nil)
    #expect(try await outbox.hold(of: Self.destination) == nil)
  }

  @Test("After the clock was set back, what was tried in its future is due")
  func clockSetBack() async throws {
    let scratch = try ScratchFolder()
    let outbox = try await Outbox.open(scratch["station.sqlite"])
    try await outbox.add(entries("a"), for: Self.destination, at: Self.now)
    var row = try #require(try await outbox.next(for: Self.destination))
    row.tried = Self.now.advanced(by: .seconds(86_400 * 365))
    row.due = Self.now.advanced(by: .seconds(86_400 * 365 + 60))
    try await outbox.record(row, hold: OutboxHold(failures: 1, until: row.due, isRequested: true))
    try await outbox.makeDue(Self.destination, at: Self.now, longest: .seconds(86_400), isAsked: false)
    #expect(try await outbox.next(for: Self.destination)?.due == Self.now)
    #expect(try await outbox.hold(of: Self.destination) == nil)
  }

  @Test("A person's request makes everything due but what the destination asked to wait for", arguments: [true, false])
  func asked(isRequested: Bool) async throws {
    let scratch = try ScratchFolder()
    let outbox = try await Outbox.open(scratch["station.sqlite"])
    try await outbox.add(entries("a"), for: Self.destination, at: Self.now)
    var row = try #require(try await outbox.next(for: Self.destination))
    row.due = Self.now.advanced(by: .seconds(200))
    try await outbox.record(row, hold: OutboxHold(failures: 9, until: row.due, isRequested: isRequested))
    try await outbox.makeDue(Self.destination, at: Self.now, longest: .seconds(86_400), isAsked: true)
    #expect(try await outbox.next(for: Self.destination)?.due == Self.now)
    #expect((try await outbox.hold(of: Self.destination) == nil) == !isRequested)
  }

  @Test("A store that is made again from the bundles keeps its outbox")
  func rebuild() async throws {
    let scratch = try ScratchFolder()
    let path = scratch["station.sqlite"]
    let outbox = try await Outbox.open(path)
    try await outbox.add(entries("a", "b"), for: Self.destination, at: Self.now)
    var row = try #require(try await outbox.next(for: Self.destination))
    (row.state, row.confirmation, row.receipt, row.tried) = (.sent, "receipt", "{}", Self.now)
    try await outbox.record(row, hold: nil)
    await outbox.close()
    _ = try await SampleStore.replace(path, keeping: Outbox.copy) { _ in }
    let again = try await Outbox.open(path)
    #expect(try await again.counts().map { [$0.waiting, $0.sent] } == [[1, 1]])
    #expect(try await item("a", in: again) == row)
  }
}
