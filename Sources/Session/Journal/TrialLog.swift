import Bundles
import Quantities

/// A trial's journal with the trial's zero: takes moments, writes times since the zero.
struct TrialLog: Sendable {
  let journal: any TrialJournal
  let zero: Moment
  let clock: any StationClock

  /// Writes down what happens now, or happened at a moment.
  func append(_ event: JournalEvent, at moment: Moment? = nil) {
    journal.append(time: time(of: moment ?? clock.now), event: event)
  }

  /// The time of a moment since the trial's zero.
  func time(of moment: Moment) -> Duration { zero.duration(to: moment) }

  /// The time of a measured moment since the trial's zero.
  func time(of measured: MeasuredMoment) -> MeasuredTime {
    MeasuredTime(time: time(of: measured.moment), uncertainty: measured.uncertainty)
  }

  /// An input with its times since the trial's zero.
  func input(_ input: AnswerInput) -> TrialRecord.Input {
    TrialRecord.Input(
      painted: input.painted.map(time), made: time(of: input.made), device: input.device,
      firstContact: input.firstContact.map(time), changes: input.changes)
  }
}
