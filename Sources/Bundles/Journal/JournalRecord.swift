/// One record of a trial's journal: something that happened, numbered from 0 without gaps.
package struct JournalRecord: Hashable, Sendable {
  /// The record's number.
  package var sequence: Int
  /// When it happened, since the trial's zero; for a reading, the instant of its last beat.
  package var time: Duration
  /// What happened.
  package var event: JournalEvent

  /// A record.
  package init(sequence: Int, time: Duration, event: JournalEvent) {
    self.sequence = sequence
    self.time = time
    self.event = event
  }
}
