import Quantities
import Synchronization

/// A bounded queue from the reading thread to the consuming task; the reader never blocks on it.
///
/// When it is full, it keeps its content, counts what arrives, and reports the count at that place in the order.
final class EventQueue: Sendable {
  /// The default capacity: 18 hours of a strap that sends once per second.
  static let capacity = 65_536
  /// The maximum number of waiting unreadable lines that are reported singly.
  static let faults = 256
  /// The maximum number of waiting notes; a source has few things to note, and notes each once.
  static let notes = 64

  /// How a connection ended.
  enum Ending: Hashable, Sendable {
    /// Permanently.
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
    var waitingReadings = 0
    var waitingFaults = 0
    var waitingNotes = 0
    var dropped = 0
    var skipped: (count: Int, line: Int, reason: String)?
    var ending: (ending: Ending, lines: Int)?
    var waiter: CheckedContinuation<Item, Never>?
    var onRoom: (@Sendable () -> Void)?
  }

  /// The maximum number of waiting samples.
  let capacity: Int
  private let tally: ReadingTally
  private let state = Mutex(State())

  /// Creates a queue; `tally` counts the samples added.
  init(capacity: Int = EventQueue.capacity, tally: ReadingTally = ReadingTally()) {
    self.capacity = capacity
    self.tally = tally
  }

  // MARK: The reader's side

  /// Adds the decoded content of a piece of the stream.
  func add(_ yield: LineDecoder.Yield) {
    guard !yield.isEmpty else { return }
    tally.add(yield.readings.count + yield.waveforms.reduce(0) { $0 + $1.count })
    change { state in
      if !yield.readings.isEmpty { state.add(yield.readings, capacity: capacity) }
      for frames in yield.waveforms { state.add(frames, capacity: capacity) }
      for fault in yield.faults { state.add(fault) }
      for note in yield.notes { state.add(.noted(note)) }
    }
  }

  /// Adds an event other than samples and unreadable lines; at most ``notes`` notes wait.
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
      guard state.waitingReadings >= capacity / 2, state.ending == nil else { return false }
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
        guard state.waitingReadings < capacity / 2 else { return (item, nil) }
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

extension EventQueue.State {
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
      guard waitingNotes < EventQueue.notes else { return }
      waitingNotes += 1
    }
    settle()
    ready.append(event)
  }

  fileprivate mutating func add(_ more: [HeartReading], capacity: Int) {
    let room = max(0, capacity - waitingReadings)
    if room > 0, dropped > 0 { settle() }
    readings += more.prefix(room)
    waitingReadings += min(room, more.count)
    dropped += more.count - min(room, more.count)
  }

  fileprivate mutating func add(_ frames: WaveformFrames, capacity: Int) {
    guard waitingReadings == 0 || waitingReadings + frames.count <= capacity else {
      dropped += frames.count
      return
    }
    settle()
    ready.append(.waveform(frames))
    waitingReadings += frames.count
  }

  fileprivate mutating func add(_ fault: LineDecoder.Fault) {
    if waitingFaults < EventQueue.faults {
      settle()
      ready.append(.unreadable(line: fault.line, reason: fault.reason))
      waitingFaults += 1
    } else if let skipped {
      self.skipped = (skipped.count + 1, skipped.line, skipped.reason)
    } else {
      skipped = (1, fault.line, fault.reason)
    }
  }

  fileprivate mutating func take() -> EventQueue.Item? {
    if head == ready.count {
      ready.removeAll(keepingCapacity: true)
      head = 0
      settle()
    }
    guard head < ready.count else { return ending.map { .closed($0.ending, lines: $0.lines) } }
    let event = ready[head]
    head += 1
    if head >= 512 {
      ready.removeFirst(head)
      head = 0
    }
    switch event {
    case .readings, .waveform: waitingReadings -= event.samples
    case .unreadable: waitingFaults -= 1
    case .noted: waitingNotes -= 1
    default: break
    }
    return .event(event)
  }
}
