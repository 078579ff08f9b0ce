package import Quantities

/// What kind of sample: of one quantity, or a series of heartbeats.
package enum SampleType: Hashable, Sendable, CustomStringConvertible {
  /// Samples of a quantity.
  case quantity(QuantityType)
  /// Series of single heartbeats.
  case heartbeatSeries

  /// HealthKit's name.
  package var healthKitIdentifier: String {
    switch self {
    case .quantity(let type): type.healthKitIdentifier
    case .heartbeatSeries: HeartbeatSeries.healthKitIdentifier
    }
  }

  /// The name that commands use: `heartRate`, `heartbeatSeries`.
  package var description: String {
    switch self {
    case .quantity(let type): type.identifier
    case .heartbeatSeries: "heartbeatSeries"
    }
  }

  /// The number by which rows name it.
  var number: Int64 { Name.number(of: healthKitIdentifier) }
}
