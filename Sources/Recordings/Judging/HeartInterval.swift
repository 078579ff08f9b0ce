import Basics

/// The ranges of inter-beat intervals, in milliseconds.
package enum HeartInterval: Sendable {
  /// Intervals at 24 to 240 beats per minute, the range of human hearts.
  package static let plausible = 250.0...2500
  /// Intervals at 6 to 3000 beats per minute, the range of any animal's heart.
  package static let possible = 20.0...10_000
}
