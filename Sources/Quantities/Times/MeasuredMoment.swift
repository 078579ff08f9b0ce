/// A measured moment with its uncertainty.
package struct MeasuredMoment: Hashable, Sendable {
  /// The best estimate.
  package var moment: Moment

  /// The maximum deviation of the true moment from the estimate, on either side.
  package var uncertainty: Duration

  /// Creates a measured moment.
  package init(moment: Moment, uncertainty: Duration) {
    self.moment = moment
    self.uncertainty = uncertainty
  }
}
