import CTimeZones
import Glibc

/// A time zone of the system's IANA database, such as `Europe/Amsterdam`.
package struct TimeZone: Hashable, Sendable, CustomStringConvertible {
  /// The IANA name.
  package let name: String

  private let rules: Rules

  /// Creates the zone with a name.
  ///
  /// - Throws: ``TimeZoneError`` if the system has no such zone; without the package tzdata it has `UTC` only.
  package init(_ name: String) throws(TimeZoneError) {
    let isName = name.utf8.allSatisfy {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "/_+-".utf8.contains($0)
    }
    // The library would accept a path as a name.
    guard isName, !name.isEmpty, !name.hasPrefix("/"), name.utf8.count < 256, let rules = Rules(name) else {
      throw TimeZoneError(name: name)
    }
    self.name = name
    self.rules = rules
  }

  /// Coordinated Universal Time.
  package static let utc = TimeZone(name: "UTC", rules: .utc)

  private init(name: String, rules: Rules) {
    self.name = name
    self.rules = rules
  }

  /// The system's zone, or UTC if none is set.
  package static var current: TimeZone { system ?? .utc }

  /// The system's zone: `TZ`, otherwise the target of `/etc/localtime`; `nil` if neither names one.
  package static var system: TimeZone? {
    var names: [String] = []
    if let variable = unsafe getenv("TZ") { names.append(String(unsafe String(cString: variable).drop { $0 == ":" })) }
    var target = [UInt8](repeating: 0, count: 4096)
    let count = unsafe target.withUnsafeMutableBytes { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { buffer in
        unsafe buffer.baseAddress.map { unsafe readlink("/etc/localtime", $0, buffer.count) } ?? 0
      }
    }
    let path = String(decoding: target.prefix(max(count, 0)), as: UTF8.self)
    if let folder = path.firstRange(of: "zoneinfo/") { names.append(String(path[folder.upperBound...])) }
    for name in names {
      if let zone = try? TimeZone(name) { return zone }
    }
    return nil
  }

  /// The offset from UTC, in seconds, at a time in seconds since 1970.
  func offset(at seconds: Int64) -> Int64 { rules.offset(at: seconds) }

  /// The instant with the same local time a number of months and days later, in seconds since 1970.
  package func advance(_ seconds: Int64, months: Int64, days: Int64) -> Int64 {
    rules.advance(seconds, months: months, days: days)
  }

  /// The start of the day that contains a second, both in seconds since 1970.
  func startOfDay(_ seconds: Int64) -> Int64 { rules.startOfDay(seconds) }

  /// The name.
  package var description: String { name }

  /// Zones are equal if their names are.
  package static func == (left: TimeZone, right: TimeZone) -> Bool { left.name == right.name }

  /// Hashes the name.
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }

  @safe
  private final class Rules: Sendable {
    // The library never changes its zones.
    nonisolated(unsafe) private let handle: UnsafeRawPointer

    static let utc: Rules = {
      guard let rules = Rules("UTC") else { preconditionFailure("UTC is part of the time zone library") }
      return rules
    }()

    init?(_ name: String) {
      guard let opened = unsafe ctimezones_open(name) else { return nil }
      unsafe handle = opened
    }

    deinit { unsafe ctimezones_close(handle) }

    func offset(at seconds: Int64) -> Int64 { unsafe Int64(ctimezones_offset(handle, seconds)) }

    func advance(_ seconds: Int64, months: Int64, days: Int64) -> Int64 {
      unsafe ctimezones_advance(handle, seconds, months, days)
    }

    func startOfDay(_ seconds: Int64) -> Int64 { unsafe ctimezones_start_of_day(handle, seconds) }
  }
}

/// The system has no time zone with this name.
package struct TimeZoneError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The requested name.
  package let name: String

  /// The problem, and the remedy.
  package var description: String {
    "“\(name)” is not a time zone of this system; give an IANA name such as Europe/Amsterdam or UTC "
      + "(the package tzdata holds them)"
  }
}

extension TimeZone {
  /// The start of the local day that contains an instant.
  package func startOfDay(containing time: WallTime) -> WallTime {
    WallTime(microseconds: startOfDay(time.second) * 1_000_000)
  }

  /// The instant with the same local time a number of months and days later; a day of 23 or 25 hours counts as one.
  package func advance(_ time: WallTime, months: Int = 0, days: Int) -> WallTime {
    let second = time.second
    let later = advance(second, months: Int64(months), days: Int64(days))
    return WallTime(microseconds: time.microseconds + (later - second) * 1_000_000)
  }

  /// The offset from UTC at an instant.
  package func offset(at time: WallTime) -> Duration { .seconds(offset(at: time.second)) }
}
