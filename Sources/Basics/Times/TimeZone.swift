import CTimeZones
import Glibc

/// A time zone of the IANA database that the system keeps, such as `Europe/Amsterdam`.
package struct TimeZone: Hashable, Sendable, CustomStringConvertible {
  /// Its IANA name.
  package let name: String

  private let rules: Rules

  /// The zone of that name.
  ///
  /// - Throws: ``TimeZoneError`` when the system has no zone of that name; without the package tzdata it has only `UTC`.
  package init(_ name: String) throws(TimeZoneError) {
    let isName = name.utf8.allSatisfy {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "/_+-".utf8.contains($0)
    }
    // The library would take a path for a name.
    guard isName, !name.isEmpty, !name.hasPrefix("/"), name.utf8.count < 256, let rules = Rules(name) else {
      throw TimeZoneError(name: name)
    }
    self.name = name
    self.rules = rules
  }

  /// Universal time.
  package static let utc = TimeZone(name: "UTC", rules: .utc)

  private init(name: String, rules: Rules) {
    self.name = name
    self.rules = rules
  }

  /// The zone of this machine, or UTC where none is set.
  package static var current: TimeZone { system ?? .utc }

  /// The zone of this machine: `TZ`, else where `/etc/localtime` points to; `nil` where neither names one.
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

  /// How many seconds its clocks are ahead of UTC, that many seconds after 1970.
  func offset(at seconds: Int64) -> Int64 { rules.offset(at: seconds) }

  /// The instant at which its clocks show the same time that many months and days later, in seconds after 1970.
  package func advance(_ seconds: Int64, months: Int64, days: Int64) -> Int64 {
    rules.advance(seconds, months: months, days: days)
  }

  /// The first second of the day in which that second lies.
  func startOfDay(_ seconds: Int64) -> Int64 { rules.startOfDay(seconds) }

  /// The name.
  package var description: String { name }

  /// Zones are equal when their names are.
  package static func == (left: TimeZone, right: TimeZone) -> Bool { left.name == right.name }

  /// The name decides.
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }

  @safe
  private final class Rules: Sendable {
    // The library's zones never change.
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

/// The system has no such time zone.
package struct TimeZoneError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name that was asked for.
  package let name: String

  /// What is wrong, and what to do.
  package var description: String {
    "“\(name)” is not a time zone of this system; give an IANA name such as Europe/Amsterdam or UTC "
      + "(the package tzdata holds them)"
  }
}

extension TimeZone {
  /// The first instant of the day in which an instant lies, by the zone's clocks.
  package func startOfDay(containing time: WallTime) -> WallTime {
    WallTime(microseconds: startOfDay(time.second) * 1_000_000)
  }

  /// The instant at which its clocks show the same time that many months and days later: a day of 23 or 25 hours counts as one.
  package func advance(_ time: WallTime, months: Int = 0, days: Int) -> WallTime {
    let second = time.second
    let later = advance(second, months: Int64(months), days: Int64(days))
    return WallTime(microseconds: time.microseconds + (later - second) * 1_000_000)
  }

  /// How far its clocks are ahead of UTC at an instant.
  package func offset(at time: WallTime) -> Duration { .seconds(offset(at: time.second)) }
}
