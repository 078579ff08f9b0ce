package import Quantities

/// The type of a sample: a quantity type, or series of heartbeats.
package enum SampleType: Hashable, Sendable, CustomStringConvertible {
  /// Samples of a quantity.
  case quantity(QuantityType)
  /// Series of single heartbeats.
  case heartbeatSeries

  /// HealthKit's identifier.
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

  /// The number that represents it in rows.
  var number: Int64 { Name.number(of: healthKitIdentifier) }
}
