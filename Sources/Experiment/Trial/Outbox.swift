import Sensors

/// What a sensor has said and its listener has not heard yet, in its order and bounded.
///
/// When it is full it keeps what it has; readings that come then are counted, and told as dropped when there is room again.
struct Outbox: Sendable {
  /// How many readings wait at most.
  static let mostReadings = 65_536
  /// How many frames of waveforms, with those readings, wait at most: 20 s of sound at 48 kHz.
  static let mostFrames = 1 << 20
  /// How many other events wait at most.
  static let mostOthers = 1024
  /// Longer batches are handed on in pieces of so many readings, so that a listener can be stopped in between.
  static let piece = 1024

  private var events: [SensorEvent] = []
  private var head = 0
  private var others = 0
  private var dropped = 0
  private var isCrowded = false

  /// How many readings wait.
  private(set) var readings = 0

  /// How many events wait, one more for a count of what was dropped.
  var count: Int { events.count - head + (dropped > 0 ? 1 : 0) }

  /// So many events that were handed on are removed together.
  private static let spent = 512

  /// Adds an event.
  mutating func add(_ event: SensorEvent) {
    switch event {
    case .readings, .waveform:
      let most = if case .waveform = event { Self.mostFrames } else { Self.mostReadings }
      guard readings + event.samples <= most || readings == 0 else {
        dropped += event.samples
        return
      }
      if dropped > 0 { tellDropped() }
      readings += event.samples
    default:
      guard others < Self.mostOthers else {
        isCrowded = true
        return
      }
      others += 1
    }
    events.append(event)
  }

  /// The next event; `nil` when there is none.
  mutating func next() -> SensorEvent? {
    if head == events.count {
      events.removeAll(keepingCapacity: true)
      head = 0
      if dropped > 0 { tellDropped() }
      if isCrowded {
        isCrowded = false
        return .noted("was lost and found more often than could be reported")
      }
    }
    guard head < events.count else { return nil }
    let event = events[head]
    head += 1
    switch event {
    case .readings, .waveform: readings -= event.samples
    default: others -= 1
    }
    // A queue that is never quite empty must not keep what it has handed on.
    if head >= Self.spent {
      events.removeFirst(head)
      head = 0
    }
    return event
  }

  /// Forgets everything.
  ///
  /// - Returns: how many readings were waiting.
  @discardableResult
  mutating func clear() -> Int {
    defer { self = Outbox() }
    return readings + dropped
  }

  private mutating func tellDropped() {
    events.append(.overflowed(count: dropped))
    others += 1
    dropped = 0
  }

  /// An event in pieces that are short enough to be handed on one by one.
  static func pieces(of event: SensorEvent) -> [SensorEvent] {
    guard case .readings(let batch) = event, batch.count > piece else { return [event] }
    return stride(from: 0, to: batch.count, by: piece).map {
      .readings(Array(batch[$0..<min($0 + piece, batch.count)]))
    }
  }
}
