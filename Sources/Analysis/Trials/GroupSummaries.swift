/// Trials summarised by clip, mood, condition or another key.
package struct GroupSummaries: Sendable {
  /// The trials.
  package let together: TrialsTogether
  /// Which groups are compared.
  package let comparison: WithinParticipants.Comparison
  /// The number of trials or files that could not be read.
  package let unreadable: Int
  /// The number that was not selected.
  package let notChosen: Int
  /// The number of simulated trials that was left out.
  package let simulatedLeftOut: Int
  /// A summary for each sensor, window and measure.
  package let summaries: [TrialsTogether.Summary]
  /// The averaged responses.
  package let responses: [TrialsTogether.GroupResponse]

  /// Summarises trials; at most `most` groups are compared with each other.
  package init(
    _ together: TrialsTogether, comparing comparison: WithinParticipants.Comparison, most: Int, unreadable: Int,
    notChosen: Int, simulatedLeftOut: Int = 0
  ) {
    self.together = together
    self.comparison = comparison
    self.unreadable = unreadable
    self.notChosen = notChosen
    self.simulatedLeftOut = simulatedLeftOut
    summaries = together.summaries(comparing: comparison, most: most)
    responses = together.averagedResponses
  }
}

extension TrialsTogether {
  /// The comparison with the group of that name, or of all pairs for `nil`.
  ///
  /// - Returns: the comparison; `nil` if there is no such group.
  package func comparison(with name: String?) -> WithinParticipants.Comparison? {
    guard let name else { return .all }
    if groups.contains(name) { return .reference(name) }
    return ["none", TrialGrouping.noKey].contains(name) && groups.contains(nil) ? .reference(nil) : nil
  }
}
