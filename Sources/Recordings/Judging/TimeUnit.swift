import Basics

/// A unit of time in files.
package enum TimeUnit: String, CaseIterable, Hashable, Sendable {
  /// Seconds.
  case seconds = "s"
  /// Milliseconds.
  case milliseconds = "ms"
  /// Microseconds, for times only.
  case microseconds = "us"
  /// Nanoseconds, for times only.
  case nanoseconds = "ns"

  /// The units that are valid for intervals.
  package static let ofIntervals: [TimeUnit] = [.seconds, .milliseconds]

  /// The name for sentences.
  package var name: String {
    switch self {
    case .seconds: "seconds"
    case .milliseconds: "milliseconds"
    case .microseconds: "microseconds"
    case .nanoseconds: "nanoseconds"
    }
  }

  /// How many of the unit make a second.
  package var perSecond: Double {
    switch self {
    case .seconds: 1
    case .milliseconds: 1000
    case .microseconds: 1e6
    case .nanoseconds: 1e9
    }
  }
}
