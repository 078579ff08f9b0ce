package import Basics

/// A quantity measured at an instant or over a period, with its source.
package struct QuantitySample: Hashable, Sendable {
  /// The unique identifier.
  package let uuid: UUID
  package let type: QuantityType
  /// The value in the type's canonical unit.
  package let value: Double
  /// The start of the measurement.
  package let start: WallTime
  /// The end of the measurement; never before the start.
  package let end: WallTime
  /// The source that wrote the sample.
  package let sourceRevision: SourceRevision
  /// The measuring device.
  package let device: Device?
  /// Additional information.
  package let metadata: Metadata

  /// Creates a sample.
  ///
  /// - Parameters:
  ///   - uuid: the unique identifier.
  ///   - type: the quantity type.
  ///   - quantity: the quantity, in any unit of the type.
  ///   - start: the start of the measurement.
  ///   - end: the end of the measurement; the start if omitted.
  ///   - sourceRevision: the source that wrote the sample.
  ///   - device: the measuring device.
  ///   - metadata: additional information.
  /// - Throws: an error if the type is not measured in the quantity's unit or does not allow negative values, if the
  ///   end precedes the start, and if either lies in year 1 or after the year 4000.
  package init(
    uuid: UUID, type: QuantityType, quantity: Quantity, start: WallTime, end: WallTime? = nil,
    sourceRevision: SourceRevision, device: Device? = nil, metadata: Metadata = Metadata()
  ) throws(QuantityError) {
    let unit = type.canonicalUnit
    guard quantity.isCompatible(with: unit) else {
      throw .wrongUnit(type, quantity.unit, measured: "HKQuantitySample")
    }
    let value = try quantity.value(in: unit)
    guard value >= 0 || type.allowsNegative else { throw .negative(value, type) }
    let end = end ?? start
    try Self.check(start, end)
    self.uuid = uuid
    self.type = type
    self.value = value
    self.start = start
    self.end = end
    self.sourceRevision = sourceRevision
    self.device = device
    self.metadata = metadata
  }

  /// The measured quantity in the type's canonical unit.
  package var quantity: Quantity { Quantity(checked: value, type.canonicalUnit) }

  /// The measured value in another unit of the type; see ``Quantity/writtenValue(in:)``.
  package func value(in unit: Unit) throws(QuantityError) -> Double { try quantity.writtenValue(in: unit) }

  /// Whether the value is physiologically plausible, as far as limits are known.
  package var isPlausible: Bool { type.isPlausible(value) }

  // HealthKit's distant past is the start of year 1, and its distant future the start of year 4001; neither is the time
  // of a measurement.
  static func check(_ start: WallTime, _ end: WallTime) throws(QuantityError) {
    for (key, time) in [("startDate", start), ("endDate", end)] where !times.contains(time) {
      throw .noTime(key, time)
    }
    guard start <= end else { throw .endsBeforeStart(start: start, end: end) }
  }

  /// The valid times of measurements: the years 2 to 4000.
  static let times =
    WallTime(milliseconds: -62_104_060_800_000)..<WallTime(milliseconds: 64_092_211_200_000)
}
