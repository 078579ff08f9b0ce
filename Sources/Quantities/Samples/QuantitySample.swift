package import Basics

/// A quantity that was measured at an instant or over a time, with where it came from.
package struct QuantitySample: Hashable, Sendable {
  /// What tells it from every other sample.
  package let uuid: UUID
  /// What was measured.
  package let type: QuantityType
  /// How much, in the type's canonical unit.
  package let value: Double
  /// When the measuring began.
  package let start: WallTime
  /// When it ended; never before its start.
  package let end: WallTime
  /// Who wrote it.
  package let sourceRevision: SourceRevision
  /// What it was measured with.
  package let device: Device?
  /// What else is known about it.
  package let metadata: Metadata

  /// A sample.
  ///
  /// - Parameters:
  ///   - uuid: what tells it from every other sample.
  ///   - type: what was measured.
  ///   - quantity: how much, in any unit in which the type is measured.
  ///   - start: when the measuring began.
  ///   - end: when it ended; without it, when it began.
  ///   - sourceRevision: who wrote it.
  ///   - device: what it was measured with.
  ///   - metadata: what else is known about it.
  /// - Throws: when the type is not measured in the quantity's unit or cannot be below zero, when the end lies before
  ///   the start, and when either lies in year 1 or after the year 4000.
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

  /// How much was measured, in the type's canonical unit.
  package var quantity: Quantity { Quantity(checked: value, type.canonicalUnit) }

  /// How much was measured, in a unit in which the type is measured; see ``Quantity/writtenValue(in:)``.
  package func value(in unit: Unit) throws(QuantityError) -> Double { try quantity.writtenValue(in: unit) }

  /// Whether it is a value that people can have, as far as is known.
  package var isPlausible: Bool { type.isPlausible(value) }

  // HealthKit's distant past is the beginning of year 1, its distant future that of year 4001; neither is a time at
  // which something was measured.
  static func check(_ start: WallTime, _ end: WallTime) throws(QuantityError) {
    for (key, time) in [("startDate", start), ("endDate", end)] where !times.contains(time) {
      throw .noTime(key, time)
    }
    guard start <= end else { throw .endsBeforeStart(start: start, end: end) }
  }

  /// The times at which something can have been measured: year 2 to year 4000.
  package static let times =
    WallTime(milliseconds: -62_104_060_800_000)..<WallTime(milliseconds: 64_092_211_200_000)
}
