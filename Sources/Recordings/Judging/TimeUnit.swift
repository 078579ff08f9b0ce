import Basics

/// A unit of time in files.
package enum TimeUnit: String, CaseIterable, Hashable, Sendable {
  /// Seconds.
  case seconds = "s"
  /// Milliseconds.
  case milliseconds = "ms"
  /// Microseconds, of times alone.
  case microseconds = "us"
  /// Nanoseconds, of times alone.
  case nanoseconds = "ns"

  /// The units that intervals may be said to be in.
  package static let ofIntervals: [TimeUnit] = [.seconds, .milliseconds]

  /// Its name in sentences.
  package var name: String {
    switch self {
    case .seconds: "seconds"
    case .milliseconds: "milliseconds"
    case .microseconds: "microseconds"
    case .nanoseconds: "nanoseconds"
    }
  }

  /// How many of it are a second.
  package var perSecond: Double {
    switch self {
    case .seconds: 1
    case .milliseconds: 1000
    case .microseconds: 1e6
    case .nanoseconds: 1e9
    }
  }
}
