public import Quantities

extension TimeZone {
  /// When the day ends in which an instant lies: the start of the next one, 23 to 25 hours after its own.
  public func endOfDay(containing time: WallTime) -> WallTime {
    let start = startOfDay(time.second)
    return WallTime(microseconds: startOfDay(advance(start, months: 0, days: 1)) * 1_000_000)
  }

  /// The instant at which the zone's clocks show the time that a text of RFC 3339 says without its offset.
  ///
  /// - Parameter text: `2026-11-20` for the day's start, or `2026-11-20T14:30`, also with seconds and their fraction, or with
  ///   a space instead of the `T`.
  /// - Returns: the earlier one of two, the one after the gap where the clocks skip that time, and `nil` for a text that is
  ///   no such time.
  public func time(_ text: String) -> WallTime? {
    let isDate = text.utf8.count == 10
    let hasSeconds = text.utf8.count > 16
    guard let shown = WallTime(isDate ? "\(text)T12:00:00Z" : hasSeconds ? "\(text)Z" : "\(text):00Z") else {
      return nil
    }
    let wanted = shown.second
    let fraction = shown.microseconds - wanted * 1_000_000
    // Offsets of a day before and a day after are those on both sides of a change.
    let candidates = [-86_400, 86_400].map { wanted - offset(at: wanted + Int64($0)) }
    let fitting = candidates.filter { $0 + offset(at: $0) == wanted }
    let second = fitting.min() ?? candidates.max() ?? wanted
    return isDate
      ? startOfDay(containing: WallTime(microseconds: second * 1_000_000))
      : WallTime(microseconds: second * 1_000_000 + fraction)
  }

  /// What the zone's clocks show, with their offset from UTC, as RFC 3339 writes it: `2026-11-20T15:30:00.000+01:00`.
  public func text(_ time: WallTime) -> String {
    let shown = shown(time)
    return "\(shown.date)T\(shown.clock)\(shown.offset)"
  }

  /// The same for people, in whole seconds: `2026-11-20 15:30:00 +01:00`.
  public func plainText(_ time: WallTime) -> String {
    let shown = shown(time)
    return "\(shown.date) \(shown.clock.prefix(8)) \(shown.offset)"
  }

  /// The date, the time of day to the millisecond, and the offset.
  private func shown(_ time: WallTime) -> (date: Substring, clock: Substring, offset: String) {
    let offset = offset(at: time.second)
    let text = WallTime(microseconds: time.microseconds + offset * 1_000_000).description
    let parts = text.dropLast().split(separator: "T")
    let minutes = offset.magnitude / 60
    func digits(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return (
      parts[0], parts[1], "\(offset < 0 ? "-" : "+")\(digits(minutes / 60)):\(digits(minutes % 60))"
    )
  }
}
