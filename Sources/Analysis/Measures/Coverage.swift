/// A window that was asked for, and how much of it is known.
///
/// One rule holds for every number of a window, a bin or a baseline: below ``least`` there is none, and below nine tenths
/// it comes with a doubt. The limits are the station's.
package struct Coverage: Hashable, Sendable {
  /// The least share that must be known for a number.
  package static let least = 0.5

  /// The share below which a number is doubtful.
  static let ample = 0.9

  /// The window, in seconds, on the recording's axis.
  package let window: ClosedRange<Double>

  /// The share of the window that intervals, or a sensor's rates, cover, from 0 to 1.
  package let share: Double

  /// A window, and the share of it that is known.
  package init(window: ClosedRange<Double>, share: Double) {
    self.window = window
    self.share = share
  }

  /// How long the window lasts, in seconds.
  package var seconds: Double { window.upperBound - window.lowerBound }

  /// Whether enough is known for a number.
  var suffices: Bool { share >= Self.least }
}

extension Measurement {
  /// The same measurement as that of a window that was asked for: without a number where too little of it is known.
  package func covering(_ coverage: Coverage) -> Measurement {
    var covered = self
    covered.coverage = coverage
    guard value != nil else { return covered }
    let doubt = Doubt.partlyKnown(coverage)
    if !coverage.suffices {
      covered.outcome = .missing("\(doubt.sentence.dropLast()), which is too little to measure.")
      covered.doubts = []
    } else if coverage.share < Coverage.ample {
      covered.doubts.append(doubt)
    }
    return covered
  }
}
