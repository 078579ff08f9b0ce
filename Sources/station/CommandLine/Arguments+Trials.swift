import Bundles

extension Arguments {
  /// The operands, with trial identifiers replaced by the paths of their bundles.
  ///
  /// - Throws: `TrialNameError`.
  func trialOperands() throws -> [String] {
    try TrialNames(results: self["results"] ?? "results").paths(of: operands)
  }
}
