import Basics
import Quantities
import Synchronization

/// The one queue of samples between a sensor and the journal; the thread that reads the sensor never waits for it.
///
/// The task of the session that empties it writes each sample to the journal before it takes the next. A full queue keeps
/// its content, counts the samples that arrive, and reports the count at that place in the order.
package final class SampleQueue: Sendable {
  /// The maximum number of waiting samples: 18 hours of a strap that sends once per second.
  package static let maxSamples = 65_536
  /// The maximum number of waiting frames of sound: 20 s at 48 kHz.
  package static let maxFrames = 1 << 20
  /// The maximum number of waiting unreadable lines that are reported singly.
  static let maxFaults = 256
  /// The maximum number of waiting notes; a source has few things to note, and notes each once.
  static let maxNotes = 64
  /// The maximum number of other waiting events.
  static let maxOthers = 1024

  /// How a connection ended.
  enum Ending: Hashable, Sendable {
    case over(String)
    /// The connection may be restored.
    case broken(String)
    /// The link was stopped on request.
    case stopped
  }

  /// An element of the queue for the consumer.
  enum Item: Sendable {
    case event(SensorEvent)
    case closed(Ending, lines: Int)
  }

  fileprivate struct State: Sendable {
    var ready: [SensorEvent] = []
    var head = 0
    var readings: [HeartReading] = []
    var waitingSamples = 0
    var waitingFaults = 0
    var waitingNotes = 0
    var waitingOthers = 0
    var dropped = 0
    var areOthersDropped = false
    var skipped: (count: Int, line: Int, reason: String)?
    var ending: (ending: Ending, lines: Int)?
    var waiter: CheckedContinuation<Item, Never>?
    var onRoom: (@Sendable () -> Void)?
  }

  /// The maximum number of waiting samples.
  let capacity: Int
  private let tally: SampleTally
  private let state = Mutex(State())

  /// Creates a queue; `tally` counts the samples added.
  init(capacity: Int = SampleQueue.maxSamples, tally: SampleTally = SampleTally()) {
    self.capacity = capacity
    self.tally = tally
  }

  // MARK: The reader's side

  /// Adds the decoded content of a piece of the stream.
  func add(_ yield: Decoded) {
    guard !yield.isEmpty else { return }
    tally.add(yield.readings.count + yield.waveforms.reduce(0) { $0 + $1.count })
    change { state in
      if !yield.readings.isEmpty { state.add(yield.readings, capacity: capacity) }
      for frames in yield.waveforms { state.add(frames, capacity: capacity) }
      for fault in yield.faults { state.add(fault) }
      for note in yield.notes { state.add(.noted(note)) }
    }
  }

  /// Adds an event other than samples and unreadable lines; at most ``maxNotes`` notes and ``maxOthers`` others wait.
  func add(_ event: SensorEvent) { change { $0.add(event) } }

  /// Closes the queue; the first ending counts.
  func close(_ ending: Ending, lines: Int) {
    change { state in
      if state.ending == nil { state.ending = (ending, lines) }
    }
  }

  /// Whether a source that can wait should do so; if so, `onRoom` is called once when half of the queue is free.
  func isFull(onRoom: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      guard state.waitingSamples >= capacity / 2, state.ending == nil else { return false }
      state.onRoom = onRoom
      return true
    }
  }

  // MARK: The consumer's side

  /// The next item in order; after the last one, ``Item/closed(_:lines:)`` on every call.
  func next() async -> Item {
    await withCheckedContinuation { continuation in
      let (item, onRoom) = state.withLock { state -> (Item?, (@Sendable () -> Void)?) in
        let item = state.take()
        if item == nil { state.waiter = continuation }
        guard state.waitingSamples < capacity / 2 else { return (item, nil) }
        let onRoom = state.onRoom
        state.onRoom = nil
        return (item, onRoom)
      }
      onRoom?()
      if let item { continuation.resume(returning: item) }
    }
  }

  private func change(_ body: (inout State) -> Void) {
    let woken = state.withLock { state -> (CheckedContinuation<Item, Never>, Item)? in
      body(&state)
      guard let waiter = state.waiter, let item = state.take() else { return nil }
      state.waiter = nil
      return (waiter, item)
    }
    if let (waiter, item) = woken { waiter.resume(returning: item) }
  }
}

extension SampleQueue.State {
  /// Moves the collected samples and counts into the order, before another event follows.
  fileprivate mutating func settle() {
    if !readings.isEmpty {
      ready.append(.readings(readings))
      readings = []
    }
    if dropped > 0 {
      ready.append(.overflowed(count: dropped))
      dropped = 0
    }
    if let skipped {
      ready.append(.skipped(count: skipped.count, firstLine: skipped.line, reason: skipped.reason))
      self.skipped = nil
    }
  }

  fileprivate mutating func add(_ event: SensorEvent) {
    if case .noted = event {
      guard waitingNotes < SampleQueue.maxNotes else { return }
      waitingNotes += 1
    } else {
      guard waitingOthers < SampleQueue.maxOthers else {
        areOthersDropped = true
        return
      }
      waitingOthers += 1
    }
    settle()
    ready.append(event)
  }

  fileprivate mutating func add(_ more: [HeartReading], capacity: Int) {
    let room = max(0, capacity - waitingSamples)
    if room > 0, dropped > 0 { settle() }
    readings += more.prefix(room)
    waitingSamples += min(room, more.count)
    dropped += more.count - min(room, more.count)
  }

  fileprivate mutating func add(_ frames: WaveformFrames, capacity: Int) {
    guard waitingSamples == 0 || waitingSamples + frames.count <= capacity else {
      dropped += frames.count
      return
    }
    settle()
    ready.append(.waveform(frames))
    waitingSamples += frames.count
  }

  fileprivate mutating func add(_ fault: Decoded.Fault) {
    if waitingFaults < SampleQueue.maxFaults {
      settle()
      ready.append(.unreadable(line: fault.line, reason: fault.reason))
      waitingFaults += 1
    } else if let skipped {
      self.skipped = (skipped.count + 1, skipped.line, skipped.reason)
    } else {
      skipped = (1, fault.line, fault.reason)
    }
  }

  fileprivate mutating func take() -> SampleQueue.Item? {
    if head == ready.count {
      ready.removeAll(keepingCapacity: true)
      head = 0
      settle()
      if areOthersDropped {
        areOthersDropped = false
        add(.noted("was lost and found more often than could be reported"))
      }
    }
    guard head < ready.count else { return ending.map { .closed($0.ending, lines: $0.lines) } }
    let event = ready[head]
    head += 1
    // A queue that is never quite empty must not keep what it has handed over.
    if head >= 512 {
      ready.removeFirst(head)
      head = 0
    }
    switch event {
    case .readings, .waveform: waitingSamples -= event.samples
    case .unreadable: waitingFaults -= 1
    case .noted: waitingNotes -= 1
    case .connected, .lost, .ended, .clockMeasured: waitingOthers -= 1
    case .overflowed, .skipped: break
    }
    return .event(event)
  }
}

/// The number of samples that a sensor has received so far, delivered or not, and how far its reading is behind.
final class SampleTally: Sendable {
  private let samples = Atomic(0)
  private let heldBack = Atomic<Int64>(0)
  private let unread = Atomic(0)

  var count: Int { samples.load(ordering: .acquiring) }

  var backlog: ReadingBacklog {
    ReadingBacklog(
      heldBack: .nanoseconds(heldBack.load(ordering: .acquiring)), unread: unread.load(ordering: .acquiring))
  }

  func add(_ count: Int) { samples.add(count, ordering: .acquiringAndReleasing) }

  /// Notes that the source is held back for a time, and about how many samples wait unread meanwhile.
  func holdBack(for pause: Duration, unread: Int) {
    heldBack.add(pause.nanoseconds, ordering: .acquiringAndReleasing)
    self.unread.store(unread, ordering: .releasing)
  }

  /// Notes that the source is read as it comes.
  func readsAll() { unread.store(0, ordering: .releasing) }
}
