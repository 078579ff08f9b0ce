import Basics
import CSystem
import Glibc
import Quantities
import Synchronization

/// One connection to a sensor, from opening to closing: a thread that reads into a queue.
final class SensorThread: Sendable {
  /// What the thread does: opens a source, adds what arrives to the queue, and returns how the source ended.
  ///
  /// It returns as soon as the thread is stopped, and keeps `units` up to date: the number of lines, packets or frames
  /// over all connections so far.
  typealias Reading =
    @Sendable (_ thread: SensorThread, _ units: inout Int) throws(LinkFault) -> SampleQueue.Ending

  /// What all connections of one stream share.
  struct Settings: Sendable {
    /// The clock that stamps arrivals.
    let clock: any StationClock
    /// The counter of received samples.
    let tally: SampleTally
    /// The maximum number of samples that wait for the consumer.
    var capacity = SampleQueue.maxSamples
    /// Whether a connection that fails is made again; otherwise the sensor ends.
    var reconnects = true
  }

  private struct State: Sendable {
    var isStopped = false
    var isBeyondReach = false
    var childGroup: pid_t?
  }

  /// The thread's output.
  let queue: SampleQueue
  /// The clock that stamps arrivals.
  let clock: any StationClock

  private let settings: Settings
  private let before: Int
  private let alarm = Alarm()
  private let state = Mutex(State())

  /// Starts connecting; `units` is the number of lines, packets or frames over earlier connections.
  init(_ settings: Settings, after units: Int = 0, _ reading: @escaping Reading) {
    self.settings = settings
    before = units
    clock = settings.clock
    queue = SampleQueue(capacity: settings.capacity, tally: settings.tally)
    guard alarm.works, WaitingThread.start({ self.run(reading) }) else {
      let reason = "cannot connect: out of threads or file descriptors"
      queue.close(settings.reconnects ? .broken(reason) : .over(reason), lines: units)
      return
    }
  }

  /// Ends the connection, its child process and the thread; the queue is closed when they are gone.
  func stop() {
    let isBeyondReach = state.withLock { state in
      state.isStopped = true
      // Here, not on the thread: the program may be about to exit.
      if let group = state.childGroup { kill(-group, SIGTERM) }
      return state.isBeyondReach
    }
    alarm.ring()
    if isBeyondReach { queue.close(.stopped, lines: before) }
  }

  private func run(_ reading: Reading) {
    var units = before
    let ending: SampleQueue.Ending
    do {
      ending = try reading(self, &units)
    } catch {
      ending = error.isFinal || !settings.reconnects ? .over(error.reason) : .broken(error.reason)
    }
    queue.close(isStopped ? .stopped : ending, lines: units)
  }

  // MARK: On the thread

  /// Whether the connection is to end.
  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// The process group of a child that is read, from its start until just before it is reaped.
  var childGroup: pid_t? {
    get { state.withLock { $0.childGroup } }
    set { state.withLock { $0.childGroup = newValue } }
  }

  /// Marks the beginning or the end of calls that cannot be interrupted, so that stopping does not wait for them.
  ///
  /// - Returns: whether the thread is to go on.
  @discardableResult
  func setBeyondReach(_ isBeyondReach: Bool) -> Bool {
    state.withLock { state in
      state.isBeyondReach = isBeyondReach
      return !state.isStopped
    }
  }

  /// Wakes the thread while it waits.
  func wake() { alarm.ring() }

  /// Waits until a descriptor is ready, the thread is woken or stopped, or the timeout expires.
  ///
  /// - Parameters:
  ///   - descriptors: the descriptors to wait for, with `poll`'s events.
  ///   - milliseconds: the timeout; negative for none.
  /// - Returns: `poll`'s result for each descriptor.
  func wait(_ descriptors: [(number: Int32, events: Int)] = [], milliseconds: Int32 = -1) -> [Int16] {
    alarm.wait(descriptors, milliseconds: milliseconds)
  }

  /// Waits until half of the queue is free, if it is not; returns whether it was full.
  func waitForRoom() -> Bool {
    guard queue.isFull(onRoom: { [alarm] in alarm.ring() }) else { return false }
    _ = wait()
    return true
  }

  /// Waits in real time, or until the thread is stopped.
  func pause(_ duration: Duration) {
    let end = csystem_monotonic_nanoseconds() + duration.nanoseconds
    while !isStopped, case let left = end - csystem_monotonic_nanoseconds(), left > 0 {
      _ = wait(milliseconds: Int32(min(1000, (left + 999_999) / 1_000_000)))
    }
  }

  /// Pauses as long as the pace of all sources requires, and reports the first pause.
  ///
  /// - Parameters:
  ///   - limiter: the limiter of this connection.
  ///   - lines: the number of lines or samples that were read.
  ///   - bytes: the number of bytes that were read.
  ///   - unread: gives the number of samples that wait to be read; `nil` for a source that loses nothing by waiting.
  func rest(_ limiter: inout RateLimiter, afterLines lines: Int, bytes: Int, unread: (RateLimiter) -> Int?) {
    guard let rest = limiter.rest(afterLines: lines, bytes: bytes) else { return settings.tally.readsAll() }
    if let unread = unread(limiter) {
      settings.tally.holdBack(for: rest, unread: unread)
      if limiter.hasJustBegun { queue.add(.tooFast) }
    }
    pause(rest)
  }
}
