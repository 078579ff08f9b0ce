import Basics
import Quantities
import Sound
import Synchronization

/// The successive recordings of one stream of a microphone: it runs in the consumer's task.
actor MicrophoneFeed {
  private static let shortestPause = Duration.milliseconds(500)
  private static let longestPause = Duration.seconds(8)

  private let settings: MicrophoneSettings
  private let latency: Duration
  private let clock: any StationClock
  private let tally: SampleTally
  private var open: (capture: any Capture, queue: SampleQueue)?
  private var pause = Duration.zero
  /// The loss reported last, so that attempts that fail in the same way do not report it again.
  private var told: String?
  private var isOver = false

  init(_ settings: MicrophoneSettings, latency: Duration, clock: any StationClock, tally: SampleTally) {
    (self.settings, self.latency, self.clock, self.tally) = (settings, latency, clock, tally)
  }

  /// The next event; `nil` when the task is cancelled.
  func next() async -> SensorEvent? {
    while !isOver, !Task.isCancelled {
      guard let queue = open?.queue else {
        if let event = await connect() { return event }
        continue
      }
      let item = await withTaskCancellationHandler {
        await queue.next()
      } onCancel: {
        queue.close(.stopped, lines: 0)
      }
      switch item {
      case .event(let event):
        if event.samples > 0 { (pause, told) = (.zero, nil) }
        return event
      case .closed(.broken(let reason), _), .closed(.over(let reason), _):
        await close()
        if let event = lost(reason) { return event }
      case .closed(.stopped, _): isOver = true
      }
    }
    isOver = true
    await close()
    return nil
  }

  private func close() async {
    await open?.capture.close()
    open = nil
  }

  private func lost(_ reason: String) -> SensorEvent? {
    pause = pause == .zero ? Self.shortestPause : min(pause * 2, Self.longestPause)
    guard told != reason else { return nil }
    told = reason
    return .lost(reason: reason)
  }

  private func connect() async -> SensorEvent? {
    if pause > .zero {
      do { try await clock.sleep(for: pause) } catch { return nil }
    }
    let queue = SampleQueue(capacity: SampleQueue.maxFrames, tally: tally)
    let ear = Ear(queue, latency: latency, clock: clock)
    do {
      let capture = try await Microphone.open(settings.source, on: settings.server) { ear.take($0) }
      let source = capture.description
      guard source.channels <= SoundFile.mostChannels, WaveformFormat.rates.contains(Double(source.rate)) else {
        await capture.close()
        return lost(
          "“\(source.source)” has \(source.channels.counted("channel")) at \(source.rate) Hz; sound is recorded in up to "
            + "\(SoundFile.mostChannels) channels and \(Int(WaveformFormat.rates.upperBound)) Hz")
      }
      open = (capture, queue)
      queue.add(.connected(Device(name: source.source, softwareVersion: source.server)))
      ear.begin(source)
      return nil
    } catch {
      return lost("\(error)")
    }
  }
}

/// Hears a source on the sound server's thread.
private final class Ear: Sendable {
  private struct State: Sendable {
    var assembler: SoundAssembler?
    /// What came before the source was known.
    var early: [(event: CaptureEvent, arrived: Moment)] = []
  }

  private let queue: SampleQueue
  private let latency: Duration
  private let clock: any StationClock
  private let state = Mutex(State())

  init(_ queue: SampleQueue, latency: Duration, clock: any StationClock) {
    (self.queue, self.latency, self.clock) = (queue, latency, clock)
  }

  func take(_ event: CaptureEvent) {
    let arrived = clock.now
    state.withLock { state in
      if state.assembler == nil { state.early.append((event, arrived)) } else { pass(event, arrived, &state) }
    }
  }

  /// The source is known: what came of it is delivered.
  func begin(_ source: CaptureDescription) {
    state.withLock { state in
      state.assembler = SoundAssembler(source, latency: latency)
      for (event, arrived) in state.early { pass(event, arrived, &state) }
      state.early = []
    }
  }

  // With the lock held: the queue keeps the order, and never waits.
  private func pass(_ event: CaptureEvent, _ arrived: Moment, _ state: inout State) {
    switch event {
    case .failed(let reason):
      if let output = state.assembler?.finish(arrived: arrived) { deliver(output) }
      queue.close(.broken(reason), lines: 0)
    case .block(let block): if let output = state.assembler?.take(block, arrived: arrived) { deliver(output) }
    }
  }

  private func deliver(_ output: SoundAssembler.Output) {
    var yield = LineDecoder.Yield()
    yield.waveforms = output.frames
    yield.readings = output.readings
    queue.add(yield)
    if let note = output.note { queue.add(.noted(note)) }
  }
}
