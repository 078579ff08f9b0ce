/// A moment since the trial's zero that was measured.
public struct MeasuredTime: Hashable, Sendable {
  /// The best estimate.
  public var time: Duration
  /// The truth lies within this of the estimate.
  public var uncertainty: Duration

  /// A measured time.
  public init(time: Duration, uncertainty: Duration) {
    self.time = time
    self.uncertainty = uncertainty
  }
}
