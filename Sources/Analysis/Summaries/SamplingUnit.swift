/// The sampling unit of a mean, a standard deviation and a confidence interval.
package enum SamplingUnit: String, Hashable, Sendable {
  /// Participants, each of whom counts once; the results generalise to similar participants.
  case participants

  /// The trials of one participant; the results do not generalise to others.
  case trials
}
