/// One seeded choice among candidates, with all that is needed to repeat it.
package struct Draw: Hashable, Sendable, Codable {
  /// What was drawn: the identifier of the music step.
  ///
  /// Draws for different purposes do not influence each other.
  package var purpose: String
  /// The names that could be drawn, in the order in which they were numbered.
  package var candidates: [String]
  /// The number of the drawn one, from 0.
  package var index: Int
  /// The seed, at most 2^53 − 1, so that every reader of JSON sees the same number.
  package var seed: UInt64
  /// The generator's name, which fixes its algorithm for ever.
  package var generator: String

  /// A draw as it was recorded.
  package init(purpose: String, candidates: [String], index: Int, seed: UInt64, generator: String) {
    self.purpose = purpose
    self.candidates = candidates
    self.index = index
    self.seed = seed
    self.generator = generator
  }
}
