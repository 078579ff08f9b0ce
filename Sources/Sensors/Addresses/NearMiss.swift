/// The search for the word that somebody meant.
enum NearMiss {
  /// The candidate that needs the fewest changes of a letter, when these are at most a third of its letters, at least one.
  static func best(for word: String, among candidates: [String]) -> String? {
    let ranked = candidates.map {
      (candidate: $0, distance: distance(Array(word.lowercased()), Array($0.lowercased())))
    }
    guard let best = ranked.min(by: { $0.distance < $1.distance }),
      best.distance <= max(1, best.candidate.count / 3)
    else { return nil }
    return best.candidate
  }

  /// `did you mean “rate”?`, or the list of what there is.
  static func advice(for word: String, among candidates: [String]) -> String {
    if let best = best(for: word, among: candidates) { return "did you mean “\(best)”?" }
    return "there are \(candidates.joined(separator: ", "))"
  }

  /// Levenshtein's distance, with a swap of neighbours as one change.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var rows = [Array(0...right.count)]
    for (i, a) in left.enumerated() {
      var row = [i + 1]
      for (j, b) in right.enumerated() {
        var best = min(rows[i][j] + (a == b ? 0 : 1), rows[i][j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a == right[j - 1], left[i - 1] == b { best = min(best, rows[i - 1][j - 1] + 1) }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[left.count][right.count]
  }
}
