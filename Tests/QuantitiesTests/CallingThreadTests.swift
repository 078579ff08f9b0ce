import Glibc
import Quantities
import Testing

@Suite("A task on the calling thread")
struct CallingThreadTests {
  private struct Refusal: Error {}

  @Test("runs there from its beginning to its end, whoever lets it go on")
  func thread() throws {
    let caller = pthread_self()
    let places = try CallingThread.run { _ in
      var places = [Self.isOn(caller)]
      await withCheckedContinuation { continuation in Task.detached { continuation.resume() } }
      places.append(Self.isOn(caller))
      await Task.yield()
      places.append(Self.isOn(caller))
      return places
    }
    #expect(places == [true, true, true])
  }

  @Test("waits until its moments, the earlier first", arguments: [0, 1_000_000, 30_000_000] as [Int64])
  func sleeping(nanoseconds: Int64) throws {
    let begun = MonotonicClock().now
    let end = begun.advanced(by: .nanoseconds(nanoseconds))
    let woken = try CallingThread.run { thread in
      async let late: Moment = {
        await thread.sleep(until: end.advanced(by: .milliseconds(5)))
        return MonotonicClock().now
      }()
      await thread.sleep(until: end)
      return (MonotonicClock().now, await late)
    }
    #expect(woken.0 >= end && woken.1 >= end.advanced(by: .milliseconds(5)))
  }

  @Test("throws what it throws")
  func errors() {
    #expect(throws: Refusal.self) { try CallingThread.run { _ in throw Refusal() } }
  }

  private static func isOn(_ thread: pthread_t) -> Bool { pthread_equal(thread, pthread_self()) != 0 }
}
