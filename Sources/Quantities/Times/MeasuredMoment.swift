/// A moment that was measured, with how far the truth may lie from it.
package struct MeasuredMoment: Hashable, Sendable {
  /// The best estimate.
  package var moment: Moment

  /// The truth lies within this of the estimate, on either side.
  package var uncertainty: Duration

  /// A measured moment.
  package init(moment: Moment, uncertainty: Duration) {
    self.moment = moment
    self.uncertainty = uncertainty
  }
}
