import Basics
import Quantities
import SampleStore

extension Arguments {
  /// The metadata conditions: `station.clip` or `station.clip=chill_preview_4`; numbers and Booleans also match as text.
  func conditions() throws(UsageError) -> [MetadataCondition] {
    var conditions: [MetadataCondition] = []
    for text in all("metadata") { conditions.append(try condition(text)) }
    return conditions
  }

  private func condition(_ text: String) throws(UsageError) -> MetadataCondition {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard !parts[0].isEmpty else {
      throw refusal("invalid value “\(text)” for --metadata: expected KEY or KEY=VALUE")
    }
    guard parts.count == 2 else { return .exists(parts[0]) }
    var values: Set<Metadata.Value> = [.string(parts[1])]
    if let number = Double(parts[1]), number.isFinite { values.insert(.number(number)) }
    if let flag = Bool(parts[1]) { values.insert(.bool(flag)) }
    return .allowed(parts[0], values)
  }

  /// The time zone that the options name, or this computer's.
  func zone() throws(UsageError) -> TimeZone {
    do {
      return try self["time-zone"].map { name throws(TimeZoneError) in try TimeZone(name) } ?? .current
    } catch {
      throw refusal("\(error)")
    }
  }

  /// The ends of the time range that the options name; `nil` for an open end.
  func times(_ zone: TimeZone) throws(UsageError) -> (start: WallTime?, end: WallTime?) {
    let now = WallTime.now
    let (start, end) = (try time("from", zone, now), try time("to", zone, now))
    if let start, let end, end < start { throw refusal("--to \(end) is before --from \(start)") }
    return (start, end)
  }

  /// The time that an option names, in the given zone unless the text has an offset; `nil` if it was not given.
  func time(_ option: String, _ zone: TimeZone, _ now: WallTime) throws(UsageError) -> WallTime? {
    guard let text = self[option] else { return nil }
    let today = zone.startOfDay(containing: now)
    switch text {
    case "now": return now
    case "today": return today
    case "yesterday": return zone.startOfDay(containing: today.advanced(by: .seconds(-1)))
    case "tomorrow": return zone.endOfDay(containing: now)
    default: break
    }
    if let time = WallTime(text) ?? WallTime(withSeconds(text)) ?? zone.time(text) { return time }
    if text.hasSuffix(" ago"), let length = try? IntervalComponents(String(text.dropLast(4))) {
      let civil = zone.advance(now, months: -length.months, days: -length.days)
      return civil.advanced(by: .seconds(-length.seconds))
    }
    throw refusal(
      "“\(text)” is not a time; give 2026-11-20, 2026-11-20T14:30, 2026-11-20T14:30+01:00, today, yesterday or "
        + "“7 days ago”")
  }

  /// Adds seconds to a time with an offset but no seconds, such as `2026-11-20T14:30Z`.
  private func withSeconds(_ text: String) -> String {
    guard text.count > 16, let mark = text.dropFirst(16).first, "Zz+-".contains(mark) else { return text }
    return "\(text.prefix(16)):00\(text.dropFirst(16))"
  }
}
