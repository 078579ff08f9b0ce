/// One seeded choice among candidates, with everything needed to repeat it.
package struct Draw: Hashable, Sendable, Codable {
  /// The purpose of the draw: the identifier of the music step, from the second trial of a session on with its number (`stimulus/2`).
  ///
  /// Draws for different purposes are independent.
  package var purpose: String
  /// The candidates, in the order of their numbers.
  package var candidates: [String]
  /// The index of the drawn candidate.
  package var index: Int
  /// The seed, at most 2^53 − 1, so that every JSON reader gets the same number.
  package var seed: UInt64
  /// The generator's name, which identifies its algorithm permanently.
  package var generator: String

  /// Creates a draw from a record.
  package init(purpose: String, candidates: [String], index: Int, seed: UInt64, generator: String) {
    self.purpose = purpose
    self.candidates = candidates
    self.index = index
    self.seed = seed
    self.generator = generator
  }
}
