package import Basics

/// The computer and the program that ran a trial.
package struct StationFacts: Hashable, Sendable, Codable {
  /// The station's name: the computer's.
  package var identifier: String
  /// The program's version.
  package var version: String
  /// The system: `Debian GNU/Linux 12 (bookworm), Linux 6.1.0`.
  package var system: String
  /// The IANA name of its time zone; `nil` where it is not known.
  package var timeZone: String?

  /// Facts about a station.
  package init(identifier: String, version: String, system: String, timeZone: String? = nil) {
    self.timeZone = timeZone
    self.identifier = identifier
    self.version = version
    self.system = system
  }
}

extension StationFacts {
  /// A time as the station's clocks on the wall had it, with its offset from UTC; in UTC where its zone is not known.
  package func local(_ time: WallTime) -> String { zone?.precise(time) ?? time.precise }

  /// The station's time zone; `nil` where it is not known.
  package var zone: TimeZone? { timeZone.flatMap { try? TimeZone($0) } }
}
