/// A kind of quantity that can be recorded, with HealthKit's identifier for it.
public struct QuantityType: Hashable, Sendable, CustomStringConvertible {
  /// The name that protocols and commands use: `heartRate`.
  public let identifier: String

  /// HealthKit's name: `HKQuantityTypeIdentifierHeartRate`; ours, in the same form, where HealthKit has none.
  public let healthKitIdentifier: String

  /// The unit that a recorder uses unless it is told another of the same dimension.
  public let defaultUnit: Unit

  /// Beats a minute, as the sensor reports them.
  public static let heartRate = QuantityType(
    identifier: "heartRate", healthKitIdentifier: "HKQuantityTypeIdentifierHeartRate", defaultUnit: .countPerMinute)

  /// The time from one beat to the next.
  public static let rrInterval = QuantityType(
    identifier: "rrInterval", healthKitIdentifier: "StationQuantityTypeIdentifierRRInterval", defaultUnit: .millisecond)

  /// Every type, in the order in which messages list them.
  public static let all = [heartRate, rrInterval]

  /// The type of that name, in our spelling or in HealthKit's.
  public init?(_ name: String) {
    guard let type = Self.all.first(where: { $0.identifier == name || $0.healthKitIdentifier == name }) else {
      return nil
    }
    self = type
  }

  private init(identifier: String, healthKitIdentifier: String, defaultUnit: Unit) {
    self.identifier = identifier
    self.healthKitIdentifier = healthKitIdentifier
    self.defaultUnit = defaultUnit
  }

  /// The identifier.
  public var description: String { identifier }
}
