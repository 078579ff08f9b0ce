/// Which tone of a step is meant.
package enum Tone: String, Hashable, Sendable, CaseIterable, Codable {
  /// The tone at the start of the active part.
  case start
  /// The tone at its finish.
  case finish
  /// The noise of a volume step or a headphone check.
  case noise

  /// What it is called in a sentence.
  package var title: String {
    switch self {
    case .start, .finish: "the \(rawValue) tone"
    case .noise: "the noise"
    }
  }
}
