import Basics
import Glibc
import Quantities
import Synchronization

/// One connection to a stream of the Lab Streaming Layer, from the search to the loss, on its own thread.
final class LSLLink: Connection {
  /// The thread's output.
  let queue: SampleQueue

  /// What all connections of one stream share.
  struct Settings: Sendable {
    /// Which stream, and what is recorded of it.
    let lsl: LSLSettings
    /// The delay from an event to the time that the sender gives it.
    let latency: Duration
    /// The clock that stamps arrivals.
    let clock: any StationClock
    /// The counter of received samples.
    let tally: SampleTally
    /// The stream that the first connection was to; later ones are to the same device.
    let first: FirstStream
  }

  /// The stream of a sensor's first connection, once there was one.
  final class FirstStream: Sendable {
    private let stream = Mutex<LSLStream?>(nil)

    /// Whether a stream may be recorded: each one at first, and then those of the same device.
    func admits(_ other: LSLStream) -> Bool { stream.withLock { $0.map { $0.isOfSameDevice(as: other) } ?? true } }

    /// Takes the stream that is recorded.
    func take(_ other: LSLStream) { stream.withLock { $0 = $0 ?? other } }
  }

  /// How long a stream is searched for at once, in seconds, and in all: asked one by one, computers answer after 0.5 s.
  private static let search = 1.0
  private static let patience = Duration.seconds(5)
  /// The pause between two readings of the clocks' difference.
  private static let correcting = Duration.seconds(5)

  private let settings: Settings
  private let isStopping = Mutex(false)

  /// Starts to connect; `frames` is the number of frames over earlier connections.
  init(_ settings: Settings, after frames: Int) {
    self.settings = settings
    queue = SampleQueue(tally: settings.tally)
    guard WaitingThread.start({ self.run(after: frames) }) else {
      queue.close(.broken("cannot connect: no more threads to be had"), lines: frames)
      return
    }
  }

  /// Ends the connection; its thread ends when the library returns, within a few seconds.
  func stop() {
    isStopping.withLock { $0 = true }
    queue.close(.stopped, lines: 0)
  }

  private var isStopped: Bool { isStopping.withLock { $0 } }

  // MARK: On the thread

  private func run(after frames: Int) {
    var count = frames
    do throws(LinkFault) {
      try LSLLibrary.open()
      if let info = try find() { try read(LSLInlet(info), &count) }
      queue.close(.stopped, lines: count)
    } catch {
      // A stream that was received once is waited for, although others match meanwhile.
      queue.close(error.isFinal && frames == 0 ? .over(error.reason) : .broken(error.reason), lines: count)
    }
  }

  /// The stream; `nil` where the link is stopped.
  private func find() throws(LinkFault) -> LSLInfo? {
    let predicate = settings.lsl.predicate
    let clock = MonotonicClock()
    let start = clock.now
    while !isStopped, start.duration(to: clock.now) < Self.patience {
      guard !LSLLibrary.streams(matching: predicate, seconds: Self.search).isEmpty else { continue }
      let matches = LSLLibrary.streams(matching: predicate, least: 2, seconds: LSLSearch.patience)
      let found = matches.filter { settings.first.admits($0.stream) }
      guard let first = found.first else {
        guard let other = matches.first?.stream else { continue }
        throw LinkFault(
          "\(other.title) comes from another device than before; start the first one again, or begin another session")
      }
      let streams = LSLSearch.distinct(found.map(\.stream))
      guard streams.count == 1 else {
        let addresses = LSLSearch.addresses(of: streams).map { "“\($0.visible)”" }
        throw LinkFault(
          "\(streams.count) streams match; say which: \(addresses.joined(separator: " or "))", isFinal: true)
      }
      settings.first.take(first.stream)
      return first
    }
    if isStopped { return nil }
    throw LinkFault(
      "no stream matches \(predicate.visible); start the program that sends it, and see “station sensors”")
  }

  /// Reads until the link is stopped.
  private func read(_ opened: consuming LSLInlet, _ count: inout Int) throws(LinkFault) {
    var inlet = opened
    let stream = inlet.stream
    let channels: [Channel?]
    do throws(LinkFault) {
      channels = try stream.channels(choosing: settings.lsl.quantities).get()
    } catch {
      throw LinkFault(error.reason, isFinal: true)
    }
    var decoder = LSLDecoder(channels, rate: stream.rate, latency: settings.latency, after: count)
    var correction = try inlet.correction()
    queue.add(
      .connected(
        Device(
          name: stream.name.visible, localIdentifier: stream.source.isEmpty ? nil : stream.source.visible)))
    tell(correction)
    var told = settings.clock.now
    var limiter = RateLimiter(.shared)
    while !isStopped {
      let (times, values) = try inlet.pull(within: 0.2)
      let arrived = settings.clock.now
      if !times.isEmpty {
        let chunk = LSLDecoder.Chunk(times: times, values: values, offset: correction.offset)
        let yield = decoder.take(chunk, arrived: arrived)
        queue.add(yield)
        count = decoder.frames
        rest(&limiter, after: yield, values: values.count, inlet)
      }
      if told.duration(to: arrived) >= Self.correcting {
        correction = try inlet.correction()
        tell(correction)
        told = arrived
      }
    }
  }

  /// Pauses as long as the pace of all sources requires, and reports the first pause.
  private func rest(
    _ limiter: inout RateLimiter, after yield: LineDecoder.Yield, values: Int, _ inlet: borrowing LSLInlet
  ) {
    // A value of the library has eight bytes.
    guard let rest = limiter.rest(afterLines: yield.readings.count, bytes: 8 * values) else {
      return settings.tally.readsAll()
    }
    settings.tally.holdBack(for: rest, unread: inlet.waitingFrames)
    if limiter.hasJustBegun { queue.add(.tooFast) }
    let end = MonotonicClock().now.advanced(by: rest)
    while !isStopped, case let left = MonotonicClock().now.duration(to: end), left > .zero {
      usleep(UInt32(min(50_000, left.nanoseconds / 1000)))
    }
  }

  private func tell(_ correction: (offset: Double, uncertainty: Double)) {
    // A clock that differs by more than centuries is none.
    guard correction.offset.magnitude < 9e9, correction.uncertainty < 9e9 else { return }
    queue.add(
      .clockMeasured(offset: .seconds(correction.offset), uncertainty: .seconds(correction.uncertainty)))
  }
}
