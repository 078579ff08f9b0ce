public import Quantities

/// How a report writes times of the calendar: as bundles do, and as the clocks of a place show them.
public struct LocalTime: Sendable {
  /// The place's time zone, by its name in the IANA database.
  public let zone: String

  private let text: @Sendable (WallTime) -> String

  /// Times of a place.
  ///
  /// - Parameters:
  ///   - zone: its time zone's name.
  ///   - text: RFC 3339 with the zone's offset: `2026-11-20T15:30:00.000+01:00`.
  public init(zone: String, text: @escaping @Sendable (WallTime) -> String) {
    (self.zone, self.text) = (zone, text)
  }

  /// Both ways.
  func words(_ time: WallTime?) -> Words {
    guard let time else { return .none }
    let local = short(time) + " (\(zone))"
    return Words("\(time)", .code) + Words(" · \(local)")
  }

  /// `2026-11-20 15:30`, for tables.
  func brief(_ time: WallTime?) -> Words {
    guard let time else { return .none }
    return Words(String(short(time).prefix(16)), .unbroken)
  }

  /// `2026-11-20 15:30:00 +01:00`.
  func short(_ time: WallTime) -> String {
    let parts = text(time).split(separator: "T", maxSplits: 1)
    guard parts.count == 2, case let clock = parts[1], let point = clock.firstIndex(of: ".") else { return text(time) }
    let offset = clock[point...].drop { $0 == "." || $0.isNumber }
    return "\(parts[0]) \(clock[..<point])\(offset.isEmpty ? "" : " \(offset)")"
  }
}
