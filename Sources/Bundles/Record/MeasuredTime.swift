import Basics

/// A moment since the trial's zero that was measured.
package struct MeasuredTime: Hashable, Sendable, Codable, CheckedInJSON {
  /// The best estimate.
  package var time: Duration
  /// The truth lies within this of the estimate.
  package var uncertainty: Duration

  private enum CodingKeys: String, CodingKey {
    case time = "t"
    case uncertainty
  }

  /// What is wrong with numbers of the right type.
  package var jsonProblem: String? { uncertainty < .zero ? "“uncertainty_ns” is negative" : nil }

  /// A measured time.
  package init(time: Duration, uncertainty: Duration) {
    self.time = time
    self.uncertainty = uncertainty
  }
}
