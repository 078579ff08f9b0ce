public import Quantities

/// What a file does not say itself and its reader must be told; nothing of it is guessed.
public struct ImportOptions: Hashable, Sendable {
  /// How a table writes its times.
  public enum Times: Hashable, Sendable {
    /// As RFC 3339 does: `2026-11-20T11:08:31.250+01:00`, with a blank in place of the T too.
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

  /// How far local time is ahead of UTC, for times without an offset; without it, they are refused.
  public var offset: Duration?

  /// Whether numbers have a decimal comma; without it, they have one where semicolons separate the columns.
  public var decimalComma: Bool?

  /// Options.
  public init(
    type: QuantityType? = nil, unit: Unit? = nil, source: String? = nil, times: Times = .calendar,
    offset: Duration? = nil, decimalComma: Bool? = nil
  ) {
    self.type = type
    self.unit = unit
    self.source = source
    self.times = times
    self.offset = offset
    self.decimalComma = decimalComma
  }
}
