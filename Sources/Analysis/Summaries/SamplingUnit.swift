/// What a mean, a spread and a confidence interval are taken over.
package enum SamplingUnit: String, Hashable, Sendable {
  /// Participants, each of whom counts once; what holds of them may hold of others like them.
  case participants

  /// The trials of one participant; what holds of them need not hold of others.
  case trials
}
