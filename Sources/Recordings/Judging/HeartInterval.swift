import Basics

/// What hearts' intervals can be, in milliseconds.
package enum HeartInterval: Sendable {
  /// Heart rates from 24 to 240 a minute, which people's hearts have.
  package static let plausible = 250.0...2500
  /// From 6 to 3000 a minute, which any animal's heart has.
  package static let possible = 20.0...10_000
}
