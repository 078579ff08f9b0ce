extension Int {
  /// The number with its noun: `1 trial`, `3 trials`.
  ///
  /// - Parameters:
  ///   - noun: the noun in the singular.
  ///   - plural: the noun in the plural; by default the singular with an s.
  /// - Returns: the number and the noun.
  package func counted(_ noun: String, _ plural: String? = nil) -> String {
    "\(self) \(self == 1 ? noun : plural ?? noun + "s")"
  }
}

extension [String] {
  /// The words of a sentence: `a`, `a and b`, `a, b and c`.
  package var inWords: String { count < 2 ? joined() : dropLast().joined(separator: ", ") + " and " + self[count - 1] }
}
