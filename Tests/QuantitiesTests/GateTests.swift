import Synchronization
import TestSupport
import Testing

@testable import Quantities

@Suite("A gate")
struct GateTests {
  let gate = Gate()
  let clock = HandClock()

  /// Who has passed, in order.
  private final class Passed: Sendable {
    private let names = Mutex<[String]>([])
    func add(_ name: String) { names.withLock { $0.append(name) } }
    var all: [String] { names.withLock { $0 } }
  }

  private func awaitSleepers(_ count: Int) async { while clock.sleeperCount != count { await Task.yield() } }

  @Test("lets everybody through when it opens, long before their limits")
  func opens() async {
    await withDiscardingTaskGroup { group in
      for _ in 0..<3 { group.addTask { await gate.wait(within: .seconds(3600), on: clock) } }
      await awaitSleepers(3)
      gate.open()
    }
    #expect(clock.sleeperCount == 0)
    // It stays open, and nobody sleeps for it any more.
    await gate.wait(within: .seconds(3600), on: clock)
    #expect(clock.sleeperCount == 0)
  }

  @Test("lets each go at its own limit, and stays shut for the others")
  func limits() async {
    let passed = Passed()
    await withDiscardingTaskGroup { group in
      group.addTask {
        await gate.wait(within: .seconds(1), on: clock)
        passed.add("short")
      }
      group.addTask {
        await gate.wait(within: .seconds(2), on: clock)
        passed.add("long")
      }
      await awaitSleepers(2)
      clock.advance(by: .seconds(1))
      while passed.all.isEmpty { await Task.yield() }
      #expect(passed.all == ["short"])
      #expect(clock.sleeperCount == 1)
      clock.advance(by: .seconds(1))
    }
    #expect(passed.all == ["short", "long"])
  }

  @Test("lets a task go that is cancelled, before it waits or while it does", arguments: [false, true])
  func cancelled(waits: Bool) async {
    await withDiscardingTaskGroup { group in
      if !waits { group.cancelAll() }
      group.addTask { await gate.wait(within: .seconds(3600), on: clock) }
      if waits {
        await awaitSleepers(1)
        group.cancelAll()
      }
    }
    #expect(clock.sleeperCount == 0)
  }

  @Test("that is opened while others come loses nobody")
  func race() async {
    for _ in 0..<200 {
      let gate = Gate()
      await withDiscardingTaskGroup { group in
        for _ in 0..<4 { group.addTask { await gate.wait(within: .seconds(3600), on: clock) } }
        group.addTask { gate.open() }
      }
    }
    #expect(clock.sleeperCount == 0)
  }
}
