/// What the numbers of a summary are numbers of.
public struct ObservedQuantity: Hashable, Sendable {
  /// Its name, as papers print it.
  public let title: String

  /// Its unit, as UCUM writes it.
  public let unit: String

  /// How each number is defined, what it is compared with included.
  public let definition: String

  /// A quantity.
  public init(title: String, unit: String, definition: String) {
    self.title = title
    self.unit = unit
    self.definition = definition
  }

  /// What a measurement is a number of, under its preset.
  public init(_ measurement: Measurement) {
    self.init(title: measurement.measure.title, unit: measurement.unit, definition: measurement.definition)
  }
}
