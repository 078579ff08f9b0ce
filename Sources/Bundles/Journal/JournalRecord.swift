/// One record of a trial's journal: something that happened, numbered from 0 without gaps.
public struct JournalRecord: Hashable, Sendable {
  /// The record's number.
  public var sequence: Int
  /// When it happened, since the trial's zero; for a reading, the instant of its last beat.
  public var time: Duration
  /// What happened.
  public var event: JournalEvent

  /// A record.
  public init(sequence: Int, time: Duration, event: JournalEvent) {
    self.sequence = sequence
    self.time = time
    self.event = event
  }
}
