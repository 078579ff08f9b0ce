import Basics
import Foundation
import TestSupport
import Testing

@testable import Quantities

@Suite("Clocks")
struct ClockTests {
  /// The standard library's clock on CLOCK_MONOTONIC.
  private var reference: Int64 {
    let clock = SuspendingClock()
    return clock.systemEpoch.duration(to: clock.now).nanoseconds
  }

  @Test("The station's clock counts with the standard library's on CLOCK_MONOTONIC")
  func monotonic() {
    let before = reference
    let now = MonotonicClock().now
    let after = reference
    #expect((before...after).contains(now.nanoseconds))
  }

  @Test("The calendar is read beside the clock, at a whole millisecond, and says how sure it is")
  func wallReading() {
    let clock = MonotonicClock()
    let before = (clock.now, Date().timeIntervalSince1970)
    let reading = clock.wallReading()
    let after = (clock.now, Date().timeIntervalSince1970)
    #expect(reading.moment >= before.0.advanced(by: .milliseconds(-1)) && reading.moment <= after.0)
    #expect(reading.uncertainty > .zero && reading.uncertainty <= before.0.duration(to: after.0))
    let wall = Double(reading.wall.milliseconds) / 1000
    #expect(wall >= before.1 - 0.002 && wall <= after.1 + 0.001)
  }

  @Test("A deadline that has passed does not wait, and a cancelled sleep ends with an error")
  func sleeping() async throws {
    let clock = MonotonicClock()
    try await clock.sleep(until: clock.now, tolerance: nil)
    let task = Task { try await clock.sleep(until: clock.now.advanced(by: .seconds(3600)), tolerance: nil) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("A clock that is turned by hand wakes its sleepers in the order of their deadlines")
  func handClock() async throws {
    let clock = HandClock(at: Moment(nanoseconds: 0))
    let woken = AsyncStream<Int>.makeStream()
    try await withThrowingTaskGroup { group in
      for (index, seconds) in [3, 1, 2].enumerated() {
        group.addTask {
          try await clock.sleep(until: Moment(nanoseconds: Int64(seconds) * 1_000_000_000), tolerance: nil)
          woken.continuation.yield(index)
        }
      }
      while clock.sleeperCount < 3 { await Task.yield() }
      #expect(clock.nextDeadline == Moment(nanoseconds: 1_000_000_000))
      var order: [Int] = []
      var iterator = woken.stream.makeAsyncIterator()
      for _ in 0..<3 {
        clock.advance(by: .seconds(1))
        if let index = await iterator.next() { order.append(index) }
      }
      #expect(order == [1, 2, 0])
      #expect(clock.sleeperCount == 0)
      #expect(clock.nextDeadline == nil)
      try await group.waitForAll()
    }
  }

  @Test("Turning it short of a deadline wakes nobody, and it is never turned back")
  func short() async throws {
    let clock = HandClock(at: Moment(nanoseconds: 100))
    let task = Task { try await clock.sleep(until: Moment(nanoseconds: 200), tolerance: nil) }
    while clock.sleeperCount < 1 { await Task.yield() }
    clock.advance(to: Moment(nanoseconds: 199))
    #expect(clock.sleeperCount == 1)
    clock.advance(to: Moment(nanoseconds: 50))
    #expect(clock.now == Moment(nanoseconds: 199))
    clock.advance(by: .nanoseconds(1))
    try await task.value
  }

  @Test("A cancelled sleeper ends with an error, before it slept or while it sleeps")
  func cancelled() async {
    let clock = HandClock()
    let deadline = clock.now.advanced(by: .seconds(1))
    let asleep = Task { try await clock.sleep(until: deadline, tolerance: nil) }
    while clock.sleeperCount < 1 { await Task.yield() }
    asleep.cancel()
    await #expect(throws: CancellationError.self) { try await asleep.value }
    let early = Task {
      while !Task.isCancelled { await Task.yield() }
      try await clock.sleep(until: deadline, tolerance: nil)
    }
    early.cancel()
    await #expect(throws: CancellationError.self) { try await early.value }
    #expect(clock.sleeperCount == 0)
  }

  @Test("The hand-turned calendar moves with its clock")
  func handCalendar() {
    let clock = HandClock(wall: WallTime(milliseconds: 5))
    clock.advance(by: .milliseconds(1500))
    #expect(clock.wallReading().wall == WallTime(milliseconds: 1505))
    #expect(clock.wallReading().moment == clock.now)
    clock.advance(by: .microseconds(499))
    #expect(clock.wallReading().wall == WallTime(milliseconds: 1505))
    clock.advance(by: .microseconds(1))
    #expect(clock.wallReading().wall == WallTime(milliseconds: 1506))
  }

  @Test(
    "A duration of any number is held within what 64 bits of nanoseconds count",
    arguments: [
      (1e300, Int64.max), (-1e300, .min), (.infinity, .max), (-.infinity, .min), (.nan, 0), (1.5, 1_500_000),
      (-0.25, -250_000), (9.3e12, .max),
    ])
  func extremes(milliseconds: Double, nanoseconds: Int64) {
    #expect(Duration(milliseconds: milliseconds).nanoseconds == nanoseconds)
    #expect(Duration(seconds: milliseconds / 1000).nanoseconds == nanoseconds)
    #expect(Duration.seconds(Int64.max).nanoseconds == .max)
    #expect(Duration.seconds(Int64.min).nanoseconds == .min)
  }
}
