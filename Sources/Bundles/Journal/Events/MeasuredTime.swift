/// A moment since the trial's zero that was measured.
package struct MeasuredTime: Hashable, Sendable {
  /// The best estimate.
  package var time: Duration
  /// The truth lies within this of the estimate.
  package var uncertainty: Duration

  /// A measured time.
  package init(time: Duration, uncertainty: Duration) {
    self.time = time
    self.uncertainty = uncertainty
  }
}
