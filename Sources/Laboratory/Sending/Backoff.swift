/// How long to wait before the next attempt: full jitter under a limit that doubles.
///
/// Many stations that lose their receiver together do not come back together.
package enum Backoff: Sendable {
  /// The limit after the first failure.
  package static let minPause = Duration.seconds(1)
  /// The limit after many failures.
  package static let maxPause = Duration.seconds(300)
  /// The longest time that a destination can ask for.
  package static let maxRequestLength = Duration.seconds(86_400)

  /// The limit of the delay after some failures in a row.
  package static func limit(after failures: Int) -> Duration {
    failures >= 10 ? maxPause : min(maxPause, minPause * (1 << max(0, failures - 1)))
  }

  /// The delay after some failures in a row.
  ///
  /// - Parameters:
  ///   - failures: how many there were, at least 1.
  ///   - request: how long the destination asked to wait; that is the least, up to a day.
  ///   - random: a number from 0 to 1, evenly distributed.
  /// - Returns: the delay.
  package static func delay(after failures: Int, request: Duration?, random: Double) -> Duration {
    let jittered = limit(after: failures) * min(max(random, 0), 1)
    guard let request else { return jittered }
    return max(jittered, min(request, maxRequestLength))
  }
}
