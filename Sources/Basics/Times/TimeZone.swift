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

  package var description: String { name }

  /// Zones are equal if their names are.
  package static func == (left: TimeZone, right: TimeZone) -> Bool { left.name == right.name }

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
  let name: String

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

extension TimeZone {
  /// The end of the day that contains an instant: the start of the next day, 23 to 25 hours after its own.
  package func endOfDay(containing time: WallTime) -> WallTime {
    let start = startOfDay(time.second)
    return WallTime(microseconds: startOfDay(advance(start, months: 0, days: 1)) * 1_000_000)
  }

  /// Parses a local time of the zone, in RFC 3339 form without an offset.
  ///
  /// - Parameter text: `2026-11-20` for the start of the day, or `2026-11-20T14:30`, optionally with seconds and their
  ///   fraction, or with a space instead of the `T`.
  /// - Returns: the instant; the earlier one if the local time occurs twice, the one after the gap if the zone skips
  ///   it, and `nil` for any other text.
  package func time(_ text: String) -> WallTime? {
    let isDate = text.utf8.count == 10
    let hasSeconds = text.utf8.count > 16
    guard let shown = WallTime(isDate ? "\(text)T12:00:00Z" : hasSeconds ? "\(text)Z" : "\(text):00Z") else {
      return nil
    }
    let wanted = shown.second
    let fraction = shown.microseconds - wanted * 1_000_000
    // The offsets one day before and after cover both sides of a change.
    let candidates = [-86_400, 86_400].map { wanted - offset(at: wanted + Int64($0)) }
    let fitting = candidates.filter { $0 + offset(at: $0) == wanted }
    let second = fitting.min() ?? candidates.max() ?? wanted
    return isDate
      ? startOfDay(containing: WallTime(microseconds: second * 1_000_000))
      : WallTime(microseconds: second * 1_000_000 + fraction)
  }

  /// The local time in RFC 3339 form with its UTC offset: `2026-11-20T15:30:00.000+01:00`.
  package func text(_ time: WallTime) -> String {
    // Rounded to the nearest millisecond, as is the description of a UTC time.
    let nearest = time < WallTime.latest.advanced(by: .microseconds(-500)) ? time.microseconds + 500 : time.microseconds
    return text(nearest, fraction: 3)
  }

  /// The local time without loss of precision: in microseconds if they are not zero, otherwise in milliseconds.
  package func precise(_ time: WallTime) -> String {
    text(time.microseconds, fraction: time.microseconds % 1000 == 0 ? 3 : 6)
  }

  /// The local time for display, with a fraction of a second only if it is not zero: `2026-11-20T15:30:00+01:00`.
  package func short(_ time: WallTime) -> String {
    let nearest = time.microseconds + 500
    return nearest % 1_000_000 < 1000 ? text(nearest, fraction: 0) : text(nearest, fraction: 3)
  }

  /// The local time for display, in whole seconds: `2026-11-20 15:30:00 +01:00`.
  package func plainText(_ time: WallTime) -> String {
    let text = text(time)
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8)) \(text.dropFirst(23))"
  }

  // Statistics by the second write a million of these: digit by digit, without intermediate strings.
  private func text(_ microseconds: Int64, fraction: Int) -> String {
    let second = microseconds / 1_000_000 - (microseconds % 1_000_000 < 0 ? 1 : 0)
    let offset = offset(at: second)
    let shown = second + offset
    let day = shown / 86_400 - (shown % 86_400 < 0 ? 1 : 0)
    let clock = shown - day * 86_400
    let (year, month, dayOfMonth) = WallTime.date(ofDay: day)
    return unsafe String(unsafeUninitializedCapacity: 40) { buffer in
      var count = 0
      func put(_ byte: UInt8) {
        unsafe buffer[count] = byte
        count += 1
      }
      func put(_ number: Int64, _ digits: Int) {
        var rest = number
        for place in (0..<digits).reversed() {
          unsafe buffer[count + place] = UInt8(ascii: "0") + UInt8(rest % 10)
          rest /= 10
        }
        count += digits
      }
      put(max(0, year), 4)
      put(UInt8(ascii: "-"))
      put(month, 2)
      put(UInt8(ascii: "-"))
      put(dayOfMonth, 2)
      put(UInt8(ascii: "T"))
      put(clock / 3600, 2)
      put(UInt8(ascii: ":"))
      put(clock / 60 % 60, 2)
      put(UInt8(ascii: ":"))
      put(clock % 60, 2)
      if fraction > 0 {
        put(UInt8(ascii: "."))
        let rest = microseconds - second * 1_000_000
        put(fraction == 3 ? rest / 1000 : rest, fraction)
      }
      put(UInt8(ascii: offset < 0 ? "-" : "+"))
      put(abs(offset) / 3600, 2)
      put(UInt8(ascii: ":"))
      put(abs(offset) / 60 % 60, 2)
      return count
    }
  }
}
