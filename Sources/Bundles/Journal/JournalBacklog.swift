import Basics

/// Numbers and encodes the records of a journal.
struct JournalBacklog: DurableBacklog {
  var writes: WriteBacklog

  /// The number of the next record.
  private(set) var sequence = 0
  /// Whether the closing record was appended, or the trial was discarded.
  var isClosed = false
  /// How many readings of each sensor found no room.
  private var dropped: [String: Int] = [:]

  /// A backlog; beyond `limit` bytes readings are counted and dropped, other records are kept all the same.
  init(limit: Int) { writes = WriteBacklog(limit: limit) }

  /// Numbers and takes a record; the number, or `nil` where there is no room or the trial is closed.
  mutating func append(time: Duration, event: JournalEvent) -> Int? {
    guard !isClosed else { return nil }
    if writes.isFull, let delivery = event.delivery {
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
    writes.push(line, isBoundary: event.isBoundary)
    sequence += 1
    return sequence - 1
  }
}
