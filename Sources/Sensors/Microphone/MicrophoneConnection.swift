import Basics
import Quantities
import Sound
import Synchronization

/// The reading of one recording of a microphone, on the sound server's thread.
final class MicrophoneConnection: Sendable {
  private enum Phase: Sendable {
    /// What came before the source was known.
    case opening([(event: CaptureEvent, arrived: Moment)])
    case open(SoundAssembler, SensorThread)
    case failed(String)
  }

  private let latency: Duration
  private let clock: any StationClock
  private let phase = Mutex(Phase.opening([]))

  private init(latency: Duration, on clock: any StationClock) { (self.latency, self.clock) = (latency, clock) }

  /// Begins to record; the thread closes the recording.
  ///
  /// - Parameters:
  ///   - settings: the source.
  ///   - latency: the delay from the air to the server that the server does not know.
  ///   - thread: what all recordings of one stream share.
  /// - Returns: the thread of the recording; one that ends with the reason where nothing can be recorded.
  static func open(
    _ settings: MicrophoneSettings, latency: Duration, on thread: SensorThread.Settings
  ) async -> SensorThread {
    let connection = MicrophoneConnection(latency: latency, on: thread.clock)
    do {
      let capture = try await Microphone.open(settings.source, on: settings.server) { connection.take($0) }
      return SensorThread(thread) { thread, _ throws(LinkFault) in
        defer { capture.close() }
        return try connection.read(capture.description, on: thread)
      }
    } catch {
      return SensorThread(thread) { _, _ throws(LinkFault) in throw LinkFault("\(error)") }
    }
  }

  /// The source is known: what came of it is delivered, and what comes until the thread is stopped.
  private func read(
    _ source: CaptureDescription, on thread: SensorThread
  ) throws(LinkFault) -> SampleQueue.Ending {
    guard source.channels <= SoundFile.maxChannels, WaveformFormat.rates.contains(Double(source.rate)) else {
      throw LinkFault(
        "“\(source.source)” has \(source.channels.counted("channel")) at \(source.rate) Hz; sound is recorded in up to "
          + "\(SoundFile.maxChannels) channels and \(Int(WaveformFormat.rates.upperBound)) Hz")
    }
    thread.queue.add(.connected(Device(name: source.source, softwareVersion: source.server)))
    phase.withLock { phase in
      guard case .opening(let early) = phase else { return }
      phase = .open(SoundAssembler(source, latency: latency), thread)
      for (event, arrived) in early { Self.pass(event, arrived, &phase) }
    }
    while !thread.isStopped {
      if case .failed(let reason) = phase.withLock({ $0 }) { throw LinkFault(reason) }
      _ = thread.wait()
    }
    return .stopped
  }

  // MARK: On the server's thread

  private func take(_ event: CaptureEvent) {
    let arrived = clock.now
    phase.withLock { phase in
      if case .opening(let early) = phase {
        phase = .opening(early + [(event, arrived)])
      } else {
        Self.pass(event, arrived, &phase)
      }
    }
  }

  // With the lock held: the queue keeps the order, and never waits.
  private static func pass(_ event: CaptureEvent, _ arrived: Moment, _ phase: inout Phase) {
    guard case .open(var assembler, let thread) = phase else { return }
    switch event {
    case .failed(let reason):
      deliver(assembler.finish(arrived: arrived), to: thread.queue)
      phase = .failed(reason)
      thread.wake()
    case .block(let block):
      deliver(assembler.take(block, arrived: arrived), to: thread.queue)
      phase = .open(assembler, thread)
    }
  }

  private static func deliver(_ output: SoundAssembler.Output, to queue: SampleQueue) {
    var yield = Decoded()
    yield.waveforms = output.frames
    yield.readings = output.readings
    queue.add(yield)
    if let note = output.note { queue.add(.noted(note)) }
  }
}
