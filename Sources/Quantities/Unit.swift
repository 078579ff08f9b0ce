/// A unit of measurement, printed as HealthKit prints it.
///
/// These are the units that a heart-rate trial needs; the general grammar belongs to the sample store.
public struct Unit: Hashable, Sendable, CustomStringConvertible {
  /// What a unit measures.
  public enum Dimension: String, Sendable {
    /// Events in a time, such as beats a minute.
    case frequency
    /// A time.
    case time
  }

  /// HealthKit's string for it: `count/min`.
  public let symbol: String

  /// What it measures; only units of one dimension convert into each other.
  public let dimension: Dimension

  /// How many of the dimension's base unit (`count/s`, `s`) one of it is.
  public let scale: Double

  /// Beats or other events a minute: the unit of heart rate.
  public static let countPerMinute = Unit(symbol: "count/min", dimension: .frequency, scale: 1 / 60)
  /// Events a second: HealthKit's canonical unit of heart rate.
  public static let countPerSecond = Unit(symbol: "count/s", dimension: .frequency, scale: 1)
  /// Milliseconds: the unit of RR intervals.
  public static let millisecond = Unit(symbol: "ms", dimension: .time, scale: 0.001)
  /// Seconds.
  public static let second = Unit(symbol: "s", dimension: .time, scale: 1)

  /// Every unit, in the order in which messages list them.
  public static let all = [countPerMinute, countPerSecond, millisecond, second]

  /// The unit with this symbol; `beats/min` and `bpm` are read as `count/min`.
  public init?(_ symbol: String) {
    let symbol = symbol == "beats/min" || symbol == "bpm" ? "count/min" : symbol
    guard let unit = Self.all.first(where: { $0.symbol == symbol }) else { return nil }
    self = unit
  }

  private init(symbol: String, dimension: Dimension, scale: Double) {
    self.symbol = symbol
    self.dimension = dimension
    self.scale = scale
  }

  /// `value` of this unit in another of the same dimension.
  ///
  /// - Precondition: both units have the same dimension.
  public func convert(_ value: Double, to other: Unit) -> Double {
    precondition(dimension == other.dimension, "\(symbol) does not convert to \(other)")
    return self == other ? value : value * scale / other.scale
  }

  /// The symbol.
  public var description: String { symbol }
}
