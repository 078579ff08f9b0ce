import Quantities
import Testing

@testable import Sensors

@Suite("A queue of samples")
struct SampleQueueTests {
  private func readings(_ rates: ClosedRange<Int>) -> Decoded {
    let moment = Moment(nanoseconds: 0)
    return .init(
      readings: rates.map { HeartReading(heartRate: Double($0), happened: moment, arrived: moment) })
  }

  private func drain(_ queue: SampleQueue) async -> [SensorEvent] {
    var events: [SensorEvent] = []
    while case .event(let event) = await queue.next() { events.append(event) }
    return events
  }

  @Test("keeps the earlier readings, and tells where others were dropped")
  func overflow() async {
    let queue = SampleQueue(capacity: 5)
    queue.add(.connected(nil))
    queue.add(readings(1...3))
    queue.add(readings(4...9))
    queue.add(readings(10...11))
    #expect(await first(queue) == .connected(nil))
    #expect(await first(queue) == .readings(readings(1...5).readings))
    queue.add(readings(12...13))
    queue.close(.over("done"), lines: 13)
    #expect(await drain(queue) == [.overflowed(count: 6), .readings(readings(12...13).readings)])
    guard case .closed(.over("done"), lines: 13) = await queue.next() else {
      Issue.record("expected the end again")
      return
    }
  }

  @Test("tells of many unreadable lines by their number")
  func faults() async {
    let queue = SampleQueue()
    queue.add(.init(faults: (1...1000).map { .init(line: $0, reason: "reason \($0)") }))
    queue.close(.stopped, lines: 1000)
    let events = await drain(queue)
    #expect(events.count == SampleQueue.maxFaults + 1)
    #expect(events.first == .unreadable(line: 1, reason: "reason 1"))
    #expect(events.last == .skipped(count: 744, firstLine: 257, reason: "reason 257"))
  }

  @Test("holds a bounded number of notes, and never the end back")
  func notes() async {
    let queue = SampleQueue()
    for number in 0..<1000 { queue.add(.noted("\(number)")) }
    queue.add(.connected(nil))
    queue.close(.stopped, lines: 0)
    let events = await drain(queue)
    #expect(events.count == SampleQueue.maxNotes + 1)
    #expect(events.last == .connected(nil))
  }

  @Test("that is never quite empty hands over everything in order, and only once")
  func neverEmpty() async {
    let queue = SampleQueue()
    queue.add(readings(1...1))
    var lines: [Int] = []
    for line in 1...3000 {
      queue.add(.init(faults: [.init(line: line, reason: "no number")]))
      if case .unreadable(let line, _) = await first(queue) { lines.append(line) }
    }
    #expect(lines == Array(1...2999))
  }

  @Test("holds a bounded number of other events, and notes that there were more")
  func others() async {
    let queue = SampleQueue()
    for _ in 0..<2000 { queue.add(.connected(nil)) }
    queue.close(.stopped, lines: 0)
    let events = await drain(queue)
    #expect(events.count { $0 == .connected(nil) } == SampleQueue.maxOthers)
    #expect(events.last == .noted("was lost and found more often than could be reported"))
  }

  @Test("wakes a consumer that waits, and one that can wait when there is room")
  func waking() async {
    let queue = SampleQueue(capacity: 4)
    async let event = first(queue)
    queue.add(readings(1...3))
    _ = await event
    queue.add(readings(1...3))
    let (rung, bell) = AsyncStream.makeStream(of: Void.self)
    #expect(queue.isFull { bell.finish() })
    _ = await first(queue)
    for await _ in rung {}
    #expect(!queue.isFull {})
  }

  private func first(_ queue: SampleQueue) async -> SensorEvent? {
    guard case .event(let event) = await queue.next() else { return nil }
    return event
  }
}
