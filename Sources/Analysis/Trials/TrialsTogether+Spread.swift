extension TrialsTogether {
  /// Why some of these have a mean and neither SD nor confidence interval, and what the spreads of others are over; sentences.
  package func spreadNotes(_ summaries: [Summary], _ responses: [GroupResponse] = []) -> [String] {
    var notes: [String] = []
    let groups = summaries.flatMap { $0.groups.map(\.summary) }
    let isOfOne = spread != over
    if isOfOne, groups.contains(where: { $0.standardDeviation != nil }) {
      notes.append(
        "All trials are of one participant: SD and CI of the groups are over the trials, and describe this participant "
          + "only.")
    }
    if groups.contains(where: { $0.mean != nil && $0.standardDeviation == nil }) {
      let unit = spread == .trials ? "trial" : "participant"
      notes.append("SD and CI need two \(unit)s; a group of one \(unit) has dashes.")
    }
    if summaries.contains(where: { $0.differences.contains { $0.summary.standardDeviation == nil } }) {
      notes.append(
        "SD and CI of a difference need two participants with both groups; that of one participant has dashes."
      )
    }
    if over == .participants,
      responses.contains(where: { $0.average.bins.contains { $0.mean != nil && $0.standardDeviation == nil } })
    {
      notes.append(
        "SD and CI of a response need two participants; --by participant takes them over the trials of each one.")
    }
    return notes
  }
}
