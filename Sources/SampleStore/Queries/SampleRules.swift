import Basics
import Quantities

/// The limits that apply in every engine.
enum SampleRules {
  static func check(_ name: String, _ what: String, mayBeEmpty: Bool = false) throws(StoreError) {
    try refuse(Storable.problem(with: name, what, mayBeEmpty: mayBeEmpty))
  }

  static func check(_ time: WallTime, _ what: String) throws(StoreError) {
    guard !(WallTime.earliest...WallTime.latest).contains(time) else { return }
    try refuse("\(what) is \(time.precise), outside of the years 1 to 9999")
  }

  static func check(_ revision: SourceRevision) throws(StoreError) { try refuse(Storable.problem(with: revision)) }

  static func check(_ device: Device?) throws(StoreError) { try refuse(Storable.problem(with: device)) }

  static func check(_ metadata: Metadata) throws(StoreError) { try refuse(Storable.problem(with: metadata)) }

  static func check(_ sample: QuantitySample) throws(StoreError) {
    // Compares integers, because samples come by the million.
    guard sample.end.microseconds - sample.start.microseconds > maxSample else { return }
    try refuse(Storable.problem(with: sample.type, from: sample.start, to: sample.end))
  }

  static func check(_ series: HeartbeatSeries) throws(StoreError) { try refuse(Storable.problem(with: series)) }

  private static let maxSample = EpochMicroseconds.perSecond * Storable.maxSample.components.seconds

  private static func refuse(_ reason: String?) throws(StoreError) {
    if let reason { throw StoreError(.invalidArgument, reason) }
  }
}
