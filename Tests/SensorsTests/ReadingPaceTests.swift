import Basics
import Quantities
import TestSupport
import Testing

@testable import Sensors

@Suite("The pace at which lines are read")
struct ReadingPaceTests {
  /// Reads pieces of `lines` lines of `bytes` bytes as they come, every so often, for ten seconds.
  ///
  /// - Returns: the lines read and the time that was spent resting.
  private func read(
    lines: Int, bytes: Int, processor: Duration, every interval: Duration, _ pace: ReadingPace
  ) -> (lines: Int, rest: Duration) {
    var keeper = PaceKeeper(pace)
    var now: Int64 = 5_000_000_000
    var (count, rest) = (0, Duration.zero)
    while now < 15_000_000_000 {
      count += lines
      let cost = PaceKeeper.Cost(lines: lines, bytes: lines * bytes, processor: processor)
      let pause = keeper.pause(after: cost, now: now)
      rest += pause
      now += max(interval, pause).nanoseconds
    }
    return (count, rest)
  }

  @Test(
    "A flood of 100,000 lines a second needs no rest, however it is cut",
    arguments: [(1, 10), (100, 1000), (1000, 10_000), (5000, 50_000)] as [(Int, Int64)])
  func flood(lines: Int, microseconds: Int64) {
    let (count, rest) = read(
      lines: lines, bytes: 160, processor: .microseconds(microseconds) / 3, every: .microseconds(microseconds),
      .standard)
    #expect(count >= 1_000_000 - 5000)
    #expect(rest == .zero)
  }

  @Test(
    "More lines, more bytes or more work than the pace allows are held back to it",
    arguments: [
      (ReadingPace(lines: 1000, bytes: .infinity, share: .infinity), 10_000),
      (ReadingPace(lines: .infinity, bytes: 20_000, share: .infinity), 1000),
      (ReadingPace(lines: .infinity, bytes: .infinity, share: 0.25), 25_000),
    ])
  func bound(pace: ReadingPace, lines: Int) {
    // Each line has 200 bytes and takes 100 µs.
    let (count, _) = read(lines: 10, bytes: 200, processor: .milliseconds(1), every: .zero, pace)
    #expect(count > lines && count <= lines + lines / 50 + 20)
  }

  @Test("A burst is read at once, and so is the next one after a pause")
  func bursts() {
    var keeper = PaceKeeper(ReadingPace(lines: 1000, bytes: .infinity, share: .infinity))
    let cost = PaceKeeper.Cost(lines: 100, bytes: 0, processor: .zero)
    #expect(keeper.pause(after: cost, now: 0) == .zero)
    #expect(keeper.pause(after: cost, now: 0) == .milliseconds(100))
    #expect(keeper.pause(after: cost, now: 1_000_000_000) == .zero)
  }

  @Test("Sources that flood share one pace equally, and one that does not is never held back", arguments: [1, 2, 20])
  func shared(floods: Int) {
    let budget = ReadingBudget(ReadingPace(lines: 10_000, bytes: .infinity, share: .infinity))
    let sources = (0...floods).map { _ in Source() }
    var keepers = sources.map { _ in PaceKeeper(budget.pace) }
    var due = sources.map { _ in Int64(0) }
    var counts = sources.map { _ in 0 }
    for now in stride(from: Int64(0), to: 20_000_000_000, by: 1_000_000) {
      for (index, source) in sources.enumerated() where due[index] <= now {
        // The last one sends ten lines a second, the others as much as is read.
        let lines = index < floods ? 50 : 1
        counts[index] += lines
        let cost = PaceKeeper.Cost(lines: lines, bytes: 0, processor: .zero)
        let among = budget.sharers(with: ObjectIdentifier(source), now: now)
        let pause = keepers[index].pause(after: cost, among: among, now: now)
        due[index] = now + (index < floods ? pause.nanoseconds : 100_000_000)
        if index == floods { #expect(pause == .zero) }
        if pause > .zero { budget.hold(ObjectIdentifier(source), until: now + pause.nanoseconds) }
      }
    }
    #expect(counts[floods] == 200)
    // What the sources read before any was held back is a burst each.
    let flooded = counts.dropLast()
    #expect(flooded.reduce(0, +) <= 200_000 + floods * 1500)
    #expect(flooded.reduce(0, +) >= 180_000)
    #expect((flooded.max() ?? 0) - (flooded.min() ?? 0) <= 200)
  }

  private final class Source: Sendable {}

  @Test("A command that floods is held back, which is reported once, and nothing of it is lost")
  func heldBack() async {
    let pace = ReadingPace(lines: 5000, bytes: .infinity, share: .infinity)
    let sensor = LinesSensor(.exec(command: "yes 72 | head -n 3000"), pace: pace)
    let start = ContinuousClock.now
    var (count, notes) = (0, 0)
    for await event in sensor.events(on: HandClock()) {
      if case .readings(let readings) = event { count += readings.count }
      if case .noted = event { notes += 1 }
    }
    #expect(count == 3000)
    #expect(sensor.readingsTaken == 3000)
    #expect(notes == 1)
    #expect(sensor.backlog?.heldBack ?? .zero > .zero && sensor.backlog?.unread == 0)
    // 500 lines are a burst; the others take half a second, however fast they could be read.
    #expect(start.duration(to: .now) >= .milliseconds(490))
  }

  @Test(
    "A line that never ends is held back as well, whether it is a sample or a problem",
    arguments: [
      LineTarget.path("/dev/zero"), .exec(command: "exec cat /dev/zero"), .exec(command: "cat /dev/zero >&2; true"),
    ])
  func endless(target: LineTarget) async throws {
    let pace = ReadingPace(lines: .infinity, bytes: 1_000_000, share: .infinity)
    for await event in LinesSensor(target, pace: pace).events(on: HandClock()) {
      if case .noted = event { break }
    }
  }

  @Test("A command that has said all and complains without an end is ended")
  func endlessComplaint() async throws {
    var last: SensorEvent?
    let sensor = LinesSensor(.exec(command: "echo 72; exec cat /dev/zero >&2"))
    for await event in sensor.events(on: HandClock()) { last = event }
    guard case .ended(let reason) = try #require(last) else {
      Issue.record("expected the end")
      return
    }
    #expect(reason.contains("ended with signal 15"))
  }
}
