import Basics

/// The ranges of inter-beat intervals, in milliseconds.
package enum HeartInterval: Sendable {
  /// Intervals at 24 to 240 beats per minute, by whose median the unit and the kind of a file's numbers are recognised.
  ///
  /// Which single values are plausible is for the quantity type to say.
  package static let plausible = 250.0...2500
  /// Intervals at 6 to 3000 beats per minute, the range of any animal's heart.
  package static let possible = 20.0...10_000
}
