import Foundation

/// Other implementations with large packages: `Scripts/test --peers` installs them and runs the tests that ask them.
package enum Peers: Sendable {
  /// Whether this run asks them: `STATION_PEERS=1`.
  package static let areAsked = ProcessInfo.processInfo.environment["STATION_PEERS"] == "1"

  /// Why a test is skipped that does nothing but ask them.
  package static let reason = "Scripts/test --peers runs it"

  /// The folder of what they wrote, and what they read of it.
  package static let files = "Tests/RecordingsTests/Peers/Files"
}
