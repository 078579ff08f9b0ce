import Quantities
import TestSupport
import Testing

@testable import SampleStore

@Suite("Anchored queries and observers")
struct ChangesTests {
  @Test("An anchored query gives what came since", arguments: TestedEngine.allCases)
  func anchored(engine: TestedEngine) async throws {
    let made = try await engine.make()
    let store = made.store
    let first = try QuantitySample.make(60)
    let second = try QuantitySample.make(61, by: .watch)
    try await store.save([first])
    let one = try await store.changes(of: .heartRate)
    #expect(one.added == [first] && one.deleted == [] && !one.hasMore)
    try await store.save([second, .make(.stepCount, 5)])
    try await store.delete([first.uuid])
    let two = try await store.changes(of: .heartRate, since: one.anchor)
    #expect(two.added == [second] && two.deleted == [first.uuid])
    let three = try await store.changes(of: .heartRate, since: two.anchor)
    #expect(three.added == [] && three.deleted == [] && three.anchor == two.anchor)
    // The same anchor again gives the same again: whoever was interrupted loses nothing.
    #expect(try await store.changes(of: .heartRate, since: one.anchor) == two)
    let watched = SamplePredicate(sources: [.watch])
    #expect(try await store.changes(of: .heartRate, since: one.anchor, matching: watched).deleted == [])
    let read = try #require(QueryAnchor("\(two.anchor)"))
    #expect(read == two.anchor)
    for text in ["", "anchor1:x:1", "\(two.anchor)0x", "anchor2:\(UUID.number(1)):1", "anchor1:\(UUID.number(1)):-1"] {
      #expect(QueryAnchor(text) == nil)
    }
  }

  @Test("Pages together are the whole", arguments: TestedEngine.allCases, [1, 7, 1000, 2500])
  func pages(engine: TestedEngine, limit: Int) async throws {
    let made = try await engine.make()
    let count = limit == 1 ? 20 : 2300
    let samples = try (0..<count).map { try QuantitySample.make(60, from: .second(Double(count - $0))) }
    try await made.store.save(samples)
    try await made.store.delete(Set(samples.prefix(10).map(\.uuid)))
    var (added, deleted): ([QuantitySample], [UUID]) = ([], [])
    var anchor: QueryAnchor?
    while true {
      let page = try await made.store.changes(of: .heartRate, since: anchor, limit: limit)
      #expect(page.added.count + page.deleted.count <= limit)
      added += page.added
      deleted += page.deleted
      anchor = page.anchor
      if !page.hasMore { break }
    }
    #expect(added == Array(samples.dropFirst(10)))
    #expect(Set(deleted) == Set(samples.prefix(10).map(\.uuid)) && deleted.count == 10)
  }

  @Test("An anchor of another store is refused", arguments: TestedEngine.allCases)
  func foreign(engine: TestedEngine) async throws {
    let (one, two) = (try await engine.make(), try await engine.make())
    let anchor = try await one.store.changes(of: .heartRate).anchor
    let text = await refusal { _ = try await two.store.changes(of: .heartRate, since: anchor) }
    #expect(text == "the anchor is of another store, or of one before it was rebuilt; start without an anchor")
  }

  @Test("An anchor that the store has not come to is refused")
  func later() async throws {
    let made = try await TestedEngine.sqlite.make()
    let path = try #require(made.folder)["station.sqlite"]
    try await made.store.save([.make(60)])
    try SQLiteDatabase(path, .read).execute("VACUUM INTO '\(path).copy'")
    try await made.store.save([.make(61, from: .second(1))])
    let anchor = try await made.store.changes(of: .heartRate).anchor
    #expect(try await made.store.changes(of: .heartRate, since: anchor).added == [])
    // What the copy is given next would lie before the anchor.
    let copy = try await SampleStore.sqlite("\(path).copy", site: "laboratory")
    let text = await refusal { _ = try await copy.changes(of: .heartRate, since: anchor) }
    #expect(text == "the anchor is later than the store, which may be an older copy; start without an anchor")
    #expect(try await copy.changes(of: .heartRate).added.count == 1)
  }

  @Test("An observer is told of the types that change", arguments: TestedEngine.allCases)
  func observer(engine: TestedEngine) async throws {
    let made = try await engine.make()
    let types: Set<SampleType> = [.quantity(.heartRate), .quantity(.stepCount)]
    try await made.store.save([.make(60)])
    var updates = try await made.store.updates(of: types).makeAsyncIterator()
    try await made.store.save([.make(.bodyMass, 70)])
    try await made.store.save([.make(.stepCount, 70)])
    #expect(try await updates.next() == [.quantity(.stepCount)])
    let sample = try QuantitySample.make(61)
    try await made.store.save([sample])
    #expect(try await updates.next() == [.quantity(.heartRate)])
    try await made.store.delete([sample.uuid])
    #expect(try await updates.next() == [.quantity(.heartRate)])
  }

  @Test("An observer's waiting ends with its task", arguments: TestedEngine.allCases)
  func cancelled(engine: TestedEngine) async throws {
    let made = try await engine.make()
    let store = made.store
    let task = Task {
      var updates = try await store.updates(of: [.quantity(.heartRate)]).makeAsyncIterator()
      return try await updates.next()
    }
    task.cancel()
    // Nothing, or CancellationError where the task ended before it waited.
    let changed = (try? await task.value) ?? nil
    #expect(changed == nil)
  }
}
