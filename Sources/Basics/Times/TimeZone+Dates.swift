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
