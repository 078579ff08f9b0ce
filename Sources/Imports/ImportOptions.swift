public import Quantities

/// What a file does not say itself and its reader must be told; nothing of it is guessed.
public struct ImportOptions: Sendable {
  /// How a table writes its times.
  public enum Times: Hashable, Sendable {
    /// As RFC 3339 does: `2026-11-20T11:08:31.250+01:00`, with a blank in place of the T and before the offset too.
    case calendar
    /// As seconds since 1970-01-01T00:00:00Z.
    case secondsSince1970
    /// As milliseconds since 1970-01-01T00:00:00Z.
    case millisecondsSince1970
  }

  /// The quantity type of rows without one.
  public var type: QuantityType?

  /// The unit of rows without one.
  public var unit: Unit?

  /// The source of rows without one; without it, the file's name.
  public var source: String?

  /// How times are written.
  public var times: Times

  /// What instants times without an offset are; without it, they are refused.
  public var localTime: LocalTime?

  /// Whether numbers have a decimal comma; without it, they have one where semicolons separate the columns.
  public var decimalComma: Bool?

  /// The code of the participant whose samples they are: part of what each sample is, and of its metadata.
  public var participant: String?

  /// Options.
  public init(
    type: QuantityType? = nil, unit: Unit? = nil, source: String? = nil, times: Times = .calendar,
    localTime: LocalTime? = nil, decimalComma: Bool? = nil, participant: String? = nil
  ) {
    self.type = type
    self.unit = unit
    self.source = source
    self.times = times
    self.localTime = localTime
    self.decimalComma = decimalComma
    self.participant = participant
  }
}

/// The instants that times without an offset from UTC are.
public struct LocalTime: Sendable {
  /// The name of the time zone, which samples keep; `nil` where no more than an offset is known.
  public let zone: String?

  let instant: @Sendable (String) -> WallTime?

  /// A time zone's.
  ///
  /// - Parameters:
  ///   - zone: its IANA name.
  ///   - instant: the instant at which its clocks show a time such as `2026-11-20T14:30:00.5`, `2026-11-20 14:30` or
  ///     `2026-11-20`, the day's start; `nil` for any other text.
  public init(zone: String, instant: @escaping @Sendable (String) -> WallTime?) {
    self.zone = zone
    self.instant = instant
  }

  /// Those of clocks that are always that far ahead of UTC.
  public init(offset: Duration) {
    zone = nil
    instant = { text in
      let time = WallTime(text + "Z") ?? WallTime(text + ":00Z") ?? WallTime(text + "T00:00:00Z")
      return time?.advanced(by: .zero - offset)
    }
  }
}
