import Basics
import Quantities
import Synchronization

/// The reading of one connection to a stream of the Lab Streaming Layer, from the search to the loss.
struct LSLConnection: Sendable {
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

  private let settings: LSLSettings
  private let latency: Duration
  private let first: FirstStream
  private let thread: SensorThread

  private var queue: SampleQueue { thread.queue }
  private var clock: any StationClock { thread.clock }
  private var isStopped: Bool { thread.isStopped }

  /// Prepares the connection.
  ///
  /// - Parameters:
  ///   - settings: which stream, and what is recorded of it.
  ///   - latency: the delay from an event to the time that the sender gives it.
  ///   - first: the stream that the first connection was to; later ones are to the same device.
  ///   - thread: the thread that reads.
  init(_ settings: LSLSettings, latency: Duration, first: FirstStream, on thread: SensorThread) {
    (self.settings, self.latency, self.first, self.thread) = (settings, latency, first, thread)
  }

  /// Searches for the stream, and reads until the thread is stopped; `frames` is the number over all connections.
  func read(_ frames: inout Int) throws(LinkFault) {
    // The library returns within a few seconds, whatever happens.
    guard thread.setBeyondReach(true) else { return }
    let before = frames
    do {
      try LSLLibrary.open()
      if let info = try find() { try read(LSLInlet(info), &frames) }
    } catch {
      // A stream that was received once is waited for, although others match meanwhile.
      throw LinkFault(error.reason, isFinal: error.isFinal && before == 0)
    }
  }

  /// The stream; `nil` where the thread is stopped.
  private func find() throws(LinkFault) -> LSLInfo? {
    let predicate = settings.predicate
    let clock = MonotonicClock()
    let start = clock.now
    while !isStopped, start.duration(to: clock.now) < Self.patience {
      guard !LSLLibrary.streams(matching: predicate, seconds: Self.search).isEmpty else { continue }
      let matches = LSLLibrary.streams(matching: predicate, least: 2, seconds: LSLSearch.patience)
      let found = matches.filter { first.admits($0.stream) }
      guard let chosen = found.first else {
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
      first.take(chosen.stream)
      return chosen
    }
    if isStopped { return nil }
    throw LinkFault(
      "no stream matches \(predicate.visible); start the program that sends it, and see “station sensors”")
  }

  /// Reads until the thread is stopped.
  private func read(_ opened: consuming LSLInlet, _ count: inout Int) throws(LinkFault) {
    var inlet = opened
    let stream = inlet.stream
    let channels: [Channel?]
    do throws(LinkFault) {
      channels = try stream.channels(choosing: settings.quantities).get()
    } catch {
      throw LinkFault(error.reason, isFinal: true)
    }
    var decoder = LSLDecoder(channels, rate: stream.rate, latency: latency, after: count)
    var correction = try inlet.correction()
    queue.add(
      .connected(
        Device(
          name: stream.name.visible, localIdentifier: stream.source.isEmpty ? nil : stream.source.visible)))
    tell(correction)
    var told = clock.now
    var limiter = RateLimiter(.shared)
    while !isStopped {
      let (times, values) = try inlet.pull(within: 0.2)
      let arrived = clock.now
      if !times.isEmpty {
        let chunk = LSLDecoder.Chunk(times: times, values: values, offset: correction.offset)
        let yield = decoder.take(chunk, arrived: arrived)
        queue.add(yield)
        count = decoder.frames
        // A value of the library has eight bytes.
        thread.rest(&limiter, afterLines: yield.readings.count, bytes: 8 * values.count) { _ in inlet.waitingFrames }
      }
      if told.duration(to: arrived) >= Self.correcting {
        correction = try inlet.correction()
        tell(correction)
        told = arrived
      }
    }
  }

  private func tell(_ correction: (offset: Double, uncertainty: Double)) {
    // A clock that differs by more than centuries is none.
    guard correction.offset.magnitude < 9e9, correction.uncertainty < 9e9 else { return }
    queue.add(
      .clockMeasured(offset: .seconds(correction.offset), uncertainty: .seconds(correction.uncertainty)))
  }
}
