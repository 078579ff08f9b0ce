/// The computer and the program that ran a trial.
public struct StationFacts: Hashable, Sendable {
  /// The station's name: the computer's.
  public var identifier: String
  /// The program's version.
  public var version: String
  /// The system: `Debian GNU/Linux 12 (bookworm), Linux 6.1.0`.
  public var system: String
  /// The IANA name of its time zone; `nil` where it is not known.
  public var timeZone: String?

  /// Facts about a station.
  public init(identifier: String, version: String, system: String, timeZone: String? = nil) {
    self.timeZone = timeZone
    self.identifier = identifier
    self.version = version
    self.system = system
  }
}
