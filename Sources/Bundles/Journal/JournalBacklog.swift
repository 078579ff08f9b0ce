import Basics

/// What a journal's writer has yet to write, and how far it is: a value that the writer guards.
struct JournalBacklog: Sendable {
  /// One line that waits.
  struct Line: Sendable {
    let bytes: [UInt8]
    let isBoundary: Bool
  }

  let limit: Int

  /// The number of the next record.
  private(set) var sequence = 0
  /// How many records a sync has covered, and whether their file is where it should be.
  private var synced = 0
  private var isInPlace = true
  /// Whether the closing record was appended, or the trial was discarded.
  var isClosed = false
  private(set) var trouble: FileError?
  /// Whether the trouble is that the journal is not where it should be.
  private var isTroubleOfPlace = false
  var waiters: [CheckedContinuation<Void, any Error>] = []

  private var lines: [Line] = []
  /// The bytes of the lines that are held in memory: those that wait, and those that were written and not yet synced.
  private var bytes = 0
  /// How many readings of each sensor found no room.
  private var dropped: [String: Int] = [:]
  private var isAwake = false

  init(limit: Int) { self.limit = limit }

  /// Numbers and takes a record; the number, or `nil` where there is no room or the trial is closed.
  mutating func append(time: Duration, event: JournalEvent) -> Int? {
    guard !isClosed else { return nil }
    if bytes >= limit, let delivery = event.delivery {
      dropped[delivery.sensor, default: 0] += 1
      return nil
    }
    for (sensor, count) in dropped.sorted(by: { $0.key < $1.key }) {
      push(time, .readingsDropped(sensor: sensor, count: count))
    }
    dropped = [:]
    if case .trialClosed = event { isClosed = true }
    return push(time, event)
  }

  @discardableResult
  private mutating func push(_ time: Duration, _ event: JournalEvent) -> Int {
    let line = JournalRecord(sequence: sequence, time: time, event: event).line()
    lines.append(Line(bytes: line, isBoundary: event.isBoundary))
    bytes += line.count
    sequence += 1
    return sequence - 1
  }

  /// Whether the writer's thread has to be called; not while it is at work or waits for room.
  mutating func mustWake() -> Bool {
    guard !isAwake, trouble == nil else { return false }
    isAwake = true
    return true
  }

  /// Everything that waits.
  mutating func take() -> (lines: [Line], waiters: [CheckedContinuation<Void, any Error>]) {
    defer { (lines, waiters) = ([], []) }
    return (lines, waiters)
  }

  /// How many records survive whatever happens now.
  var durable: Int { isInPlace ? synced : 0 }

  /// Takes note that a sync has covered these lines, which need not be kept any longer.
  mutating func synchronized(_ batch: [Line]) {
    synced += batch.count
    bytes -= batch.reduce(0) { $0 + $1.bytes.count }
  }

  /// Takes note that the journal is not where it should be.
  mutating func displace() { isInPlace = false }

  /// Takes note that it is there again, with these lines besides.
  mutating func restore(_ batch: [Line]) {
    isInPlace = true
    synchronized(batch)
  }

  /// Takes note of a refusal; whether it is the first of its kind in a row.
  ///
  /// A disk that refuses lines and a journal that is gone are two kinds: the second puts all that was recorded at risk.
  mutating func refuse(_ error: FileError, isDisplaced: Bool) -> Bool {
    defer { (trouble, isTroubleOfPlace, isAwake) = (error, isDisplaced, false) }
    return trouble == nil || isTroubleOfPlace != isDisplaced
  }

  /// Ends a round of writing: whether nothing waits any more, and whether that ends a time of trouble.
  mutating func finishRound() -> (isDone: Bool, hasCaughtUp: Bool) {
    let isDone = lines.isEmpty && waiters.isEmpty
    let hasCaughtUp = trouble != nil
    trouble = nil
    if isDone { isAwake = false }
    return (isDone, hasCaughtUp)
  }
}
