/// A moment that was measured, with how far the truth may lie from it.
public struct MeasuredMoment: Hashable, Sendable {
  /// The best estimate.
  public var moment: Moment

  /// The truth lies within this of the estimate, on either side.
  public var uncertainty: Duration

  /// A measured moment.
  public init(moment: Moment, uncertainty: Duration) {
    self.moment = moment
    self.uncertainty = uncertainty
  }
}
