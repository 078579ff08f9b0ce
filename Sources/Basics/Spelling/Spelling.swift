/// Suggestions for misspelt words.
package enum Spelling: Sendable {
  /// The known word nearest to a misspelt one, if one is near enough; of equally near ones the first.
  ///
  /// Capitals and punctuation are ignored (`step_duration` matches `stepDuration`), and words match if one contains the
  /// other (`duration`, `fadeIn`).
  package static func nearest(to word: String, among known: [String]) -> String? {
    guard word.utf8.count <= 64 else { return nil }
    let folded = fold(word)
    guard !folded.isEmpty else { return nil }
    var best: (word: String, distance: Int)?
    for candidate in known where candidate.utf8.count <= 256 {
      let other = fold(candidate)
      let allowed = max(1, min(3, max(folded.count, other.count) / 3))
      // The distance is at least the difference in length.
      let isNear = abs(folded.count - other.count) <= allowed
      var distance = isNear ? self.distance(folded, other) : .max
      if distance > allowed, min(folded.count, other.count) >= 4, contains(folded, other) || contains(other, folded) {
        distance = allowed
      }
      if distance <= allowed, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.word
  }

  /// A hint for an unknown word: the nearest known word, and the list of known words.
  ///
  /// - Parameters:
  ///   - word: the unknown word.
  ///   - known: the words to list.
  ///   - aliases: words that may be suggested but are not listed.
  /// - Returns: `did you mean “rest”? there are “music”, “rest”`.
  package static func advice(for word: String, among known: [String], aliases: [String] = []) -> String {
    let suggestion = nearest(to: word, among: known + aliases).map { "did you mean “\($0)”?" }
    if let suggestion, known.count == 1 { return suggestion }
    let list = list(known)
    return (suggestion.map { "\($0) " } ?? "") + (known.count == 1 ? "it is \(list)" : "there are \(list)")
  }

  /// Names in quotation marks, separated by commas; beyond forty names the first ones, with the number of the others.
  package static func list(_ names: [String]) -> String {
    let shown = names.prefix(40).map { "“\($0)”" }.joined(separator: ", ")
    return names.count > 40 ? "\(shown) and \(names.count - 40) more" : shown
  }

  /// The number of insertions, deletions, replacements and swaps of adjacent characters between two words.
  ///
  /// This is the optimal string alignment distance: the Damerau–Levenshtein distance under the restriction that no
  /// substring is edited twice.
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
    let letters = word.lowercased()
    guard letters.utf8.allSatisfy({ $0 < 0x80 }) else { return Array(letters.filter { $0.isLetter || $0.isNumber }) }
    return letters.utf8.filter { (97...122).contains($0) || (48...57).contains($0) }
      .map { Character(Unicode.Scalar($0)) }
  }

  private static func contains(_ long: [Character], _ short: [Character]) -> Bool {
    long.count > short.count && (0...(long.count - short.count)).contains { long[$0...].starts(with: short) }
  }
}

/// An error that may lie in how a command was called, after which the process exits as after wrong usage.
package protocol Misuse: Error {
  /// Whether it lies in the call.
  var isMisuse: Bool { get }
}
