/// Which known word somebody may have meant.
package enum Spelling: Sendable {
  /// The known word that is nearest to a misspelt one, if one is near enough; of equally near ones the first.
  ///
  /// Capitals and marks do not count (`step_duration` is `stepDuration`), and a word that holds the other is near
  /// (`duration`, `fadeIn`).
  package static func nearest(to word: String, among known: [String]) -> String? {
    guard word.utf8.count <= 64 else { return nil }
    let folded = fold(word)
    guard !folded.isEmpty else { return nil }
    var best: (word: String, distance: Int)?
    for candidate in known where candidate.utf8.count <= 256 {
      let other = fold(candidate)
      let allowed = max(1, min(3, max(folded.count, other.count) / 3))
      var distance = self.distance(folded, other)
      if distance > allowed, min(folded.count, other.count) >= 4, contains(folded, other) || contains(other, folded) {
        distance = allowed
      }
      if distance <= allowed, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.word
  }

  /// What to write instead of a word that is not known: the nearest one, and which there are.
  ///
  /// - Parameters:
  ///   - word: the word that is not known.
  ///   - known: the words to list.
  ///   - aliases: words that are not listed and may still have been meant.
  /// - Returns: `did you mean “rest”? there are “music”, “rest”`.
  package static func advice(for word: String, among known: [String], aliases: [String] = []) -> String {
    let suggestion = nearest(to: word, among: known + aliases).map { "did you mean “\($0)”?" }
    if let suggestion, known.count == 1 { return suggestion }
    let list = list(known)
    return (suggestion.map { "\($0) " } ?? "") + (known.count == 1 ? "it is \(list)" : "there are \(list)")
  }

  /// Names in quotation marks with commas between them; of more than forty the first, and how many there are besides.
  package static func list(_ names: [String]) -> String {
    let shown = names.prefix(40).map { "“\($0)”" }.joined(separator: ", ")
    return names.count > 40 ? "\(shown) and \(names.count - 40) more" : shown
  }

  /// How many characters must be put in, left out, replaced or exchanged with their neighbour to make one word the other.
  ///
  /// This is the optimal string alignment distance: the edit distance of Damerau and Levenshtein in which no stretch
  /// is edited twice.
  package static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let isSame = left[row] == right[column]
        var cost = min(last[column + 1] + 1, current[column] + 1, last[column] + (isSame ? 0 : 1))
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }

  private static func fold(_ word: String) -> [Character] {
    Array(word.lowercased().filter { $0.isLetter || $0.isNumber })
  }

  private static func contains(_ long: [Character], _ short: [Character]) -> Bool {
    long.count > short.count && (0...(long.count - short.count)).contains { long[$0...].starts(with: short) }
  }
}
