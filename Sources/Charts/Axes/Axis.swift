/// What an axis says of itself, and which values it shows.
public struct Axis: Hashable, Sendable {
  /// How the values of an axis are written.
  public enum Scale: Hashable, Sendable {
    /// As decimal numbers.
    case number
    /// Seconds since a zero, written as seconds, minutes or hours.
    case elapsed
    /// Seconds since 1970-01-01T00:00:00Z, written as times of the day, that many seconds ahead of UTC.
    case clock(secondsFromUTC: Int)
    /// Days since 1970-01-01, written as dates.
    case day
  }

  /// What is measured, with its unit: `Heart rate (count/min)`.
  public var title: String
  /// How its values are written.
  public var scale: Scale
  /// The values at its ends.
  ///
  /// What lies outside is not drawn; `nil` lets the data decide.
  public var range: ClosedRange<Double>?

  /// An axis.
  public init(_ title: String = "", scale: Scale = .number, range: ClosedRange<Double>? = nil) {
    self.title = title
    self.scale = scale
    self.range = range
  }

  /// Time since a trial's zero, in seconds.
  public static let elapsedTime = Axis("Time", scale: .elapsed)
  /// Heart rate, in beats a minute.
  public static let heartRate = Axis("Heart rate (count/min)")
}
