/// A requested window, and the fraction of it that data cover.
///
/// One rule holds for every number of a window, a bin or a baseline: below ``minimum`` there is no number, and below nine
/// tenths the number has a caveat. The limits are the station's.
package struct Coverage: Hashable, Sendable {
  /// The minimum coverage for a number.
  package static let minimum = 0.5

  /// The coverage below which a number has a caveat.
  static let ample = 0.9

  /// The window in seconds, on the recording's axis.
  package let window: ClosedRange<Double>

  /// The fraction of the window that intervals, or a sensor's rates, cover, from 0 to 1.
  package let share: Double

  /// Creates a coverage.
  package init(window: ClosedRange<Double>, share: Double) {
    self.window = window
    self.share = share
  }

  /// The duration of the window, in seconds.
  package var seconds: Double { window.upperBound - window.lowerBound }

  /// Whether the coverage suffices for a number.
  var suffices: Bool { share >= Self.minimum }
}

extension Measurement {
  /// The same measurement for a requested window: without a number if the coverage is too small.
  package func covering(_ coverage: Coverage) -> Measurement {
    var covered = self
    covered.coverage = coverage
    guard value != nil else { return covered }
    let (share, from, to) = (coverage.share, coverage.window.lowerBound, coverage.window.upperBound)
    if !coverage.suffices {
      covered.outcome = .missing(.partlyKnown(share: share, from_s: from, to_s: to))
      covered.caveats = []
    } else if coverage.share < Coverage.ample {
      covered.caveats.append(.partlyKnown(share: share, from_s: from, to_s: to))
    }
    return covered
  }
}
