import Basics
import Quantities
import Testing

@Suite("Time that jumps")
struct SimulatedTimeTests {
  private static let wall = WallTime(milliseconds: 1_767_258_000_000)

  @Test("Sleepers wake at their deadlines in order, those of one deadline in turn")
  func order() async throws {
    let time = SimulatedTime(wall: Self.wall)
    var random = SplitMix64(seed: 7)
    let lengths = (0..<2000).map { _ in Int64(random.next() % 500) }
    let woken = try await time.run {
      let start = time.now
      return await withTaskGroup(of: (number: Int, after: Int64).self) { group in
        for (number, length) in lengths.enumerated() {
          group.addTask {
            try? await time.sleep(for: .seconds(length))
            return (number, start.duration(to: time.now).nanoseconds / 1_000_000_000)
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
    }
    let expected = lengths.enumerated().sorted { ($0.element, $0.offset) < ($1.element, $1.offset) }
    #expect(woken.map(\.number) == expected.map(\.offset))
    #expect(woken.map(\.after) == expected.map(\.element))
  }

  @Test("A year takes no time, and the wall clock shows that it is over")
  func year() async throws {
    let time = SimulatedTime(wall: Self.wall)
    let readings = try await time.run {
      let before = time.wallReading()
      try await time.sleep(for: .seconds(365 * 86_400))
      return (before: before, after: time.wallReading())
    }
    #expect(readings.before.wall == Self.wall)
    #expect(readings.after.wall.description == "2027-01-01T09:00:00.000Z")
    #expect(readings.before.moment.duration(to: readings.after.moment) == .seconds(365 * 86_400))
  }

  @Test("A sleeper that is cancelled wakes at once, before or after it went to sleep", arguments: [true, false])
  func cancelled(isAsleep: Bool) async throws {
    let time = SimulatedTime(wall: Self.wall)
    let (isCancelled, slept) = try await time.run {
      let start = time.now
      return await withTaskGroup(of: Bool.self) { group in
        group.addTask {
          do {
            try await time.sleep(for: .seconds(3600))
            return false
          } catch { return error is CancellationError }
        }
        if isAsleep { try? await time.sleep(for: .seconds(1)) }
        group.cancelAll()
        return (await group.next() ?? false, start.duration(to: time.now))
      }
    }
    #expect(isCancelled && slept == (isAsleep ? .seconds(1) : .zero))
  }

  @Test("Time stands still while something outside is waited for")
  func held() async throws {
    let time = SimulatedTime(wall: Self.wall)
    let moments = try await time.run {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { try? await time.sleep(for: .nanoseconds(1)) }
        let before = time.now
        await time.hold { for _ in 0..<1000 { await WaitingThread.run {} } }
        let after = time.now
        await group.waitForAll()
        return [before, after, time.now]
      }
    }
    #expect(moments[0] == moments[1] && moments[0].duration(to: moments[2]) == .nanoseconds(1))
  }

  @Test("What the task throws is thrown")
  func thrown() async {
    let time = SimulatedTime(wall: Self.wall)
    await #expect(throws: FileError.self) {
      try await time.run {
        try await time.sleep(for: .seconds(5))
        throw FileError("open", "nowhere", code: FileError.busy)
      }
    }
  }
}
