import Quantities

/// The one queue through which everything reaches a trial's machine, stamped as it is put in.
struct TrialInbox: Sendable {
  let continuation: AsyncStream<(TrialInput, Moment)>.Continuation
  let clock: any StationClock

  func send(_ input: TrialInput) { continuation.yield((input, clock.now)) }
}
